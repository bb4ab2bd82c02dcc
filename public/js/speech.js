// One live region for all numbers that come to rest.
import { write } from "./element.js";
import { feedFrom } from "./feed.js";
import { words } from "./words.js";

/** Milliseconds in which what rests is collected: many numbers are one sentence, and none waits for the last of all. */
const COLLECTING = 2000;
/** Numbers that a sentence tells; of those beyond it tells how many. */
const MOST = 5;

/** Speaks what comes to rest, as long as that is wanted.
 *  @param {HTMLElement} region
 *  @param {() => boolean} isWanted
 *  @returns {void} */
export function speak(region, isWanted) {
  /** @type {Map<string, string>} */
  const waiting = new Map();
  let more = 0;
  /** @type {number | undefined} */
  let timer;
  /** @param {any} data */
  const event = ({ finished, text, ticker, progress }) => {
    if (!finished || !isWanted()) return;
    const id = ticker ?? progress;
    if (waiting.size < MOST || waiting.has(id)) waiting.set(id, text);
    else more++;
    timer ??= setTimeout(() => {
      const told = [...waiting].map(([name, value]) => `${name} ${value}`);
      if (more) told.push(words("and {count} more", { count: more }));
      write(region, told.join("; "));
      waiting.clear();
      more = 0;
      timer = undefined;
    }, COLLECTING);
  };
  feedFrom().listen("ticker:*", { event });
}
