// Reads /v1/selftest and says what the way did to it; fetch shows the headers.
import { make, write } from "./tween-element.js";
import { addressOf } from "./base-url.js";
import { askFor, problemOf } from "./session.js";
import { readEvents } from "./sse.js";

/** A piece of the pattern: when it was sent, in nanoseconds, one of how many, how many seconds
 *  apart, and when it came, in milliseconds.
 *  @typedef {{t: number, of: number, interval: number, arrived: number}} Piece */

const verdict = /** @type {Element} */ (document.querySelector("#verdict"));
const figures = /** @type {Element} */ (document.querySelector("#figures"));
const again = /** @type {HTMLButtonElement} */ (document.querySelector("#again"));

/** @param {number} milliseconds */
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;

/** What is wrong with the pattern, in words.
 *  @returns {Promise<string[]>} */
async function listen() {
  const headers = { Accept: "text/event-stream" };
  const answer = await fetch(addressOf("/v1/selftest"), { headers, cache: "no-store" });
  if (answer.status === 401) {
    write(verdict, "Not signed in");
    await askFor(await problemOf(answer));
    write(verdict, "Listening…");
    return listen();
  }
  if (!answer.ok || !answer.body) throw new Error(await problemOf(answer));
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
 *  @param {string | null} coding how the stream was compressed
 *  @returns {string[]} */
function findings(pieces, heartbeats, coding) {
  if (!pieces.length) return ["Nothing arrived: the stream is cut off on its way."];
  const [{ of, interval }] = pieces;
  const delays = pieces.map(({ arrived, t }) => arrived - t / 1e6);
  const least = Math.min(...delays);
  const late = Math.max(...delays) - least;
  const near = pieces.filter(
    ({ arrived }, index) => arrived - pieces[index - 1]?.arrived < interval * 100
  );
  const isBunched = near.length > of / 5;
  const upTo = `up to ${seconds(late)} late.`;
  write(
    figures,
    `${pieces.length} of ${of} pieces and ${heartbeats} of ${of / 10} heartbeats came; `
      + `the slowest piece took ${seconds(late)} more than the quickest.`
  );
  const found = [];
  if (pieces.length < of) found.push(`${of - pieces.length} of ${of} pieces are missing.`);
  if (isBunched) found.push(`A proxy buffers: pieces come in bunches, ${upTo}`);
  else if (late > 3000 * interval) found.push(`Pieces come ${upTo}`);
  if (coding) found.push(
    `The stream is compressed (${coding}): pieces may be held back until a block is full.`
  );
  if (Math.abs(least) > 1000) found.push(`The clocks differ by ${seconds(least)}.`);
  if (heartbeats < of / 10) found.push(
    `Heartbeats are lost: ${heartbeats} of ${of / 10} came.`
  );
  return found;
}

const found = await listen().catch(
  (/** @type {Error} */ { message }) => [`The stream can't be read: ${message}`]
);
write(verdict, found.length ? "The way is not clear:" : "All is well: every piece came on time.");
document.querySelector("#findings")?.append(...found.map((text) => make("li", {}, text)));
again.addEventListener("click", () => location.reload());
again.hidden = false;
