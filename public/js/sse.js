// Parses server-sent events of a response body, as in section 9.2.6 of the HTML standard.

/**
 * One event; `name` is `message` if the stream gives none.
 * @typedef {{ name: string, data: string, id?: string, retry?: number }} StreamEvent
 */

/**
 * Reads a body to its end.
 * @param {{ getReader(): { read(): Promise<ReadableStreamReadResult<Uint8Array>> } }} body
 * @param {(event: StreamEvent) => void} onEvent called with each event
 * @param {() => void} onData called whenever data arrives
 */
export async function readEvents(body, onEvent, onData) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onData();
    const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) onEvent(parse(block));
  }
}

/**
 * @param {string} block the lines of one event; this server ends lines with a line feed alone
 * @returns {StreamEvent}
 */
function parse(block) {
  /** @type {StreamEvent} */
  const event = { name: "message", data: "" };
  const data = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(": ");
    const value = line.slice(colon + 2);
    if (line.startsWith("data:")) data.push(value);
    else if (line.startsWith("event:")) event.name = value;
    else if (line.startsWith("id:")) event.id = value;
    else if (line.startsWith("retry:")) event.retry = Number(value);
  }
  event.data = data.join("\n");
  return event;
}
