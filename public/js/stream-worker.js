// The worker that all tabs of a browser share, so that together they hold one stream.
import { Outbox, Source } from "./source.js";

const source = new Source(location.origin);

onconnect = ({ ports: [port] }) => {
	const outbox = new Outbox((batch) => port.postMessage(batch));
	port.onmessage = ({ data: [call, topics] }) => {
		if (call === "want") source.serve(outbox, topics);
		else if (call === "leave") source.drop(outbox);
		else outbox.pull();
	};
};
