// What an attribute may be, by its name, where that is one of several: as openapi.yaml has it.
import { EASINGS } from "./easing.js";

/** @type {Record<string, readonly string[]>} */
const CHOICES = {
  easing: EASINGS.filter((name) => name !== "spring"),
  interrupt: ["retarget", "replace", "queue", "reject"],
  clamp: ["allow", "clamp", "never-decrease"],
  direction: ["normal", "reverse", "alternate", "alternate-reverse"],
  trend: ["rising", "falling", "steady"],
  shape: ["bar", "pie", "ring"],
  titleDirection: ["top", "bottom", "left", "right"],
  ends: ["round", "flat"],
  style: ["decimal", "currency", "percent", "unit", "compact", "clock", "duration"],
  grouping: ["auto", "always", "min2", "never"],
  currencyDisplay: ["symbol", "code", "name", "narrow-symbol"],
  ifMissed: ["fire", "skip"],
};

/** States of what a resource does, and of its motion.
 *  @type {Record<string, readonly string[]>} */
const STATES = {
  progress: ["running", "stalled", "paused", "done"],
  schedule: ["pending", "paused"],
  motion: ["idle", "running", "paused"],
};

/** Writings of one curve of which the page's list has another. */
const spaceless = (/** @type {string} */ text) => text.replaceAll(" ", "").replaceAll("0.", ".");

/**
 * What an attribute may be; nothing where that isn't one of several.
 * @param {string} name
 * @param {string} present what it is: a curve may be another than those with a name
 * @param {string} owner `progress` or `schedule`, of a motion `motion`
 * @returns {readonly string[]}
 */
export function choicesOf(name, present, owner) {
  const all = (name === "state" ? STATES[owner] : CHOICES[name]) ?? [];
  const isKnown = all.some((choice) => spaceless(choice) === spaceless(present));
  return isKnown || !all.length ? all : [present, ...all];
}

/**
 * @param {string} one
 * @param {string} other
 */
export const isSame = (one, other) => spaceless(one) === spaceless(other);
