// The worker that all tabs of one browser share, so that together they hold one stream.
import { Outbox, Source } from "./source.js";

const source = new Source(self.location.origin);

self.onconnect = ({ ports: [port] }) => {
  const outbox = new Outbox((batch) => port.postMessage(batch));
  port.onmessage = ({ data }) => {
    if (data.topics) {
      outbox.topics = data.topics;
      if (source.outboxes.has(outbox)) source.refresh(); else source.add(outbox);
    } else if (data.bye) {
      source.remove(outbox);
    } else {
      outbox.pull();
    }
  };
};
