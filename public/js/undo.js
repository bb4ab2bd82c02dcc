// Undoes a seek, finish or stop: the motion continues from where it was, even if it has ended since.
import { send, splitKey } from "./client.js";
import { setText } from "./dom.js";
import { translate } from "./i18n.js";

/** Fields of a motion that an update doesn't have. */
const READ_ONLY_FIELDS = new Set([
  "state", "start", "end", "fraction", "elapsed", "velocity", "iterations", "maximum", "keyframes",
]);

/** @typedef {{resource: any, seconds: number}} Before a resource with a motion under way, and the motion's local time */

/** The lines of a batch that restore a motion.
 *  @param {string} key
 *  @param {Before} before
 *  @param {boolean} isActive whether the motion is still under way
 *  @returns {object[]} empty if a number has more digits than a double */
function undoRequests(key, { resource: { motion }, seconds }, isActive) {
  const [kind, id] = splitKey(key);
  const track = { [kind]: id };
  const seek = { op: "seek", ...track, seconds: Math.max(0, seconds) };
  if (isActive) return [seek];
  const ends = [motion.from, motion.to];
  if (!ends.every((value) => Number(value.toPrecision(15)) === value)) return [];
  const { to, ...timing } = Object.fromEntries(
    Object.entries(motion).filter(([name]) => !READ_ONLY_FIELDS.has(name))
  );
  const target = motion.keyframes ?? to;
  const update = { ...track, ...timing, [kind === "ticker" ? "to" : "current"]: target };
  const pause = motion.state === "paused" ? [{ op: "pause", ...track }] : [];
  return [update, seek, ...pause];
}

/** Shows a button that undoes the last action, until the next one.
 *  @param {import("./card.js").Card} card
 *  @param {Before} before
 *  @returns {void} */
export function offerUndo(card, before) {
  const button = /** @type {HTMLButtonElement} */ (document.querySelector("#undo"));
  button.hidden = undoRequests(card.key, before, false).length === 0;
  setText(button, translate("Undo"));
  button.onclick = async () => {
    const isActive = card.isInMotion && card.animation === before.resource.animation;
    await send("POST", "/v1/batch", undoRequests(card.key, before, isActive));
  };
}
