// The worker that all tabs of a browser share, so that together they hold one stream.
import { Source } from "./source.js";

const source = new Source(location.origin);

onconnect = ({ ports: [port] }) => {
	const reader = (batch) => port.postMessage(batch);
	port.onmessage = ({ data }) => source.serve(reader, data);
};
