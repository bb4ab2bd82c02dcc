// The values that an attribute with an enumerated type may have, as in openapi.yaml.
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

/** The states of a resource and of its motion.
 *  @type {Record<string, readonly string[]>} */
const STATES = {
  progress: ["running", "stalled", "paused", "done"],
  schedule: ["pending", "paused", "ended"],
  motion: ["idle", "running", "paused"],
};

/** The same curve can be written in several ways. */
const spaceless = (/** @type {string} */ text) => text.replaceAll(" ", "").replaceAll("0.", ".");

/**
 * The values that an attribute may have; empty where its type is no enumeration.
 * @param {string} name
 * @param {string} present its value: a curve may also be one without a name
 * @param {string} owner `progress` or `schedule`; for a motion, `motion`
 * @returns {readonly string[]}
 */
export function allowedValues(name, present, owner) {
  const all = (name === "state" ? STATES[owner] : CHOICES[name]) ?? [];
  const isKnown = all.some((choice) => spaceless(choice) === spaceless(present));
  return isKnown || !all.length ? all : [present, ...all];
}

/**
 * @param {string} one
 * @param {string} other
 */
export const isSameValue = (one, other) => spaceless(one) === spaceless(other);
