// The worker that all tabs of a browser share, so that together they hold one stream.
import { Outbox, Source } from "./source.js";

const source = new Source(location.origin);

onconnect = ({ ports: [port] }) => {
  const outbox = new Outbox((batch) => port.postMessage(batch));
  port.onmessage = ({ data }) => {
    if (data.topics) source.serve(outbox, data.topics);
    else if (data.bye) source.drop(outbox);
    else outbox.pull();
  };
};
