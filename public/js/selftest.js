// Reads /v1/selftest and shows how the stream was changed on its way. `fetch` gives access to the response headers.
import { urlFor } from "./base-url.js";
import { make, setText } from "./dom.js";
import { askForToken, problemText } from "./session.js";
import { readEvents } from "./sse.js";

/** An event of the pattern: when it was sent, in nanoseconds; how many there are; their interval in seconds; and when
 *  it arrived, in milliseconds.
 *  @typedef {{t: number, of: number, interval: number, arrived: number}} Piece */

const verdict = /** @type {Element} */ (document.querySelector("#verdict"));
const figures = /** @type {Element} */ (document.querySelector("#figures"));
const again = /** @type {HTMLButtonElement} */ (document.querySelector("#again"));

/** @param {number} milliseconds */
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;

/** What is wrong with the stream, in sentences.
 *  @returns {Promise<string[]>} */
async function listen() {
  const headers = { Accept: "text/event-stream" };
  const answer = await fetch(urlFor("/v1/selftest"), { headers, cache: "no-store" });
  if (answer.status === 401) {
    setText(verdict, "Not signed in");
    await askForToken(await problemText(answer));
    setText(verdict, "Listening…");
    return listen();
  }
  if (!answer.ok || !answer.body) throw new Error(await problemText(answer));
  /** @type {Piece[]} */
  const pieces = [];
  let heartbeats = 0;
  await readEvents(answer.body, ({ name, data }) => {
    if (name === "selftest") pieces.push({ ...JSON.parse(data), arrived: Date.now() });
    if (name === "heartbeat") heartbeats++;
  }, () => {});
  return findings(pieces, heartbeats, answer.headers.get("content-encoding"));
}

/** @param {Piece[]} pieces
 *  @param {number} heartbeats how many came
 *  @param {string | null} coding the stream's content encoding
 *  @returns {string[]} */
function findings(pieces, heartbeats, coding) {
  if (!pieces.length) return ["Nothing arrived: something on the way cuts the stream off."];
  const [{ of, interval }] = pieces;
  const delays = pieces.map(({ arrived, t }) => arrived - t / 1e6);
  const least = Math.min(...delays);
  const late = Math.max(...delays) - least;
  const near = pieces.filter(
    ({ arrived }, index) => arrived - pieces[index - 1]?.arrived < interval * 100
  );
  const isBunched = near.length > of / 5;
  const upTo = `up to ${seconds(late)} late.`;
  setText(
    figures,
    `${pieces.length} of ${of} events and ${heartbeats} of ${of / 10} heartbeats arrived; `
      + `the slowest event took ${seconds(late)} longer than the fastest.`
  );
  const found = [];
  if (pieces.length < of) found.push(`${of - pieces.length} of ${of} events are missing.`);
  if (isBunched) found.push(`A proxy buffers: events arrive in bunches, ${upTo}`);
  else if (late > 3000 * interval) found.push(`Events arrive ${upTo}`);
  if (coding) found.push(
    `The stream is compressed (${coding}): events may be held back until a block is full.`
  );
  if (Math.abs(least) > 1000) found.push(`The clocks differ by ${seconds(least)}.`);
  if (heartbeats < of / 10) found.push(
    `Heartbeats are lost: ${heartbeats} of ${of / 10} arrived.`
  );
  return found;
}

const found = await listen().catch(
  (/** @type {Error} */ { message }) => [`The stream can't be read: ${message}`]
);
setText(verdict, found.length ? "Problems:" : "No problems: every event arrived on time.");
document.querySelector("#findings")?.append(...found.map((text) => make("li", {}, text)));
again.addEventListener("click", () => location.reload());
again.hidden = false;
