// Takes back what was done to a motion: it goes on from where it was, also where it had come to its
// end by that.
import { parts, send } from "./client.js";
import { write } from "./tween-element.js";
import { words } from "./i18n.js";

/** What of a motion isn't part of the update that makes it. */
const TOLD = new Set([
  "state", "start", "end", "fraction", "elapsed", "velocity", "iterations", "maximum", "keyframes",
]);

/** @typedef {{resource: any, seconds: number}} Before a resource with a motion under way, and the
 *  motion's own time */

/** The lines of a batch that bring a motion back.
 *  @param {string} key
 *  @param {Before} before
 *  @param {boolean} isThere whether it is still under way
 *  @returns {object[]} none where a number has more digits than are known here */
function linesOf(key, { resource: { motion }, seconds }, isThere) {
  const [kind, id] = parts(key);
  const track = { [kind]: id };
  const seek = { op: "seek", ...track, seconds: Math.max(0, seconds) };
  if (isThere) return [seek];
  const ends = [motion.from, motion.to];
  if (!ends.every((value) => Number(value.toPrecision(15)) === value)) return [];
  const { to, ...timing } = Object.fromEntries(
    Object.entries(motion).filter(([name]) => !TOLD.has(name))
  );
  const target = motion.keyframes ?? to;
  const update = { ...track, ...timing, [kind === "ticker" ? "to" : "current"]: target };
  const pause = motion.state === "paused" ? [{ op: "pause", ...track }] : [];
  return [update, seek, ...pause];
}

/** Offers it beside the line that says what was done, until something else is done.
 *  @param {import("./card.js").Card} card
 *  @param {Before} before
 *  @returns {void} */
export function offerUndo(card, before) {
  const button = /** @type {HTMLButtonElement} */ (document.querySelector("#undo"));
  button.hidden = linesOf(card.key, before, false).length === 0;
  write(button, words("Undo"));
  button.onclick = async () => {
    const isThere = card.isOut && card.animation === before.resource.animation;
    await send("POST", "/v1/batch", linesOf(card.key, before, isThere));
  };
}
