// The positions of a number's digit wheels, as in frames with the styles that depend only on the value.
import { affixesOf, digitsOf, isWordOnly } from "./number-format.js";

/**
 * A text, or a wheel as its power of ten and its position, from 0 to below 10. A last number below 1 is how far a part
 * has entered that enters or leaves.
 * @typedef {string | [string, number] | [number, number] | [number, number, number]} WheelPart
 */

/** The most places, from the last digit, that a double distinguishes. */
const MOST_PLACES = 16;

/**
 * The wheels of a value.
 * @param {number} value
 * @param {import("./number-format.js").NumberPlan} plan of a motion's `number`
 * @param {"odometer" | "continuous"} [style] other styles depend on earlier positions, which only the server knows
 * @param {boolean} [isTurning] false for a number at rest: every wheel stands on its digit
 * @returns {WheelPart[] | undefined} undefined if digits have no fixed places, or if the last one forms a single
 *   character with the suffix
 */
export function wheelsOf(value, plan, style = "odometer", isTurning = true) {
  const { compact, significant, exponent, strips, clock, forms, suffix = "", prefix = "" } = plan;
  if (compact || significant || exponent || strips || clock || forms) return undefined;
  const { decimals: [minimum, most] = [0, 0], shift = 0, integers = 1, separator = ",", point = "." } = plan;
  const [before, behind] = affixesOf(value, plan);
  if (!behind && /^[\p{M}\u200d]/u.test(suffix)) return undefined;
  if (isWordOnly(value, plan)) return [prefix, before, behind, suffix].filter((part) => part !== "");
  const { whole, fraction } = digitsOf(value, plan).digits;
  const units = Math.abs(value) * 10 ** Math.min(most + shift, 22);
  // Beyond 2^52 a double has no fraction of a unit left.
  const turned = isTurning && units < 2 ** 52 ? units : undefined;

  let [columns, entered] = [whole.length, 0];
  if (turned !== undefined) {
    /** @type {(count: number) => number} */
    const edge = (count) => 10 ** Math.min(count + most, 22);
    // The text may have been rounded up already.
    if (whole.length > (minimum ? integers : integers || 1) && turned < edge(whole.length - 1)) columns--;
    entered = turned - (edge(columns) - 1);
    if (entered > 0) columns++;
  }
  /** @type {(place: number) => number} */
  const presence = (place) => (place + 1 < columns || entered <= 0 ? 1 : Math.min(entered, 1));

  /** @type {(place: number) => number} */
  const position = (place) => {
    const order = place + most;
    if (turned === undefined || order > MOST_PLACES) {
      return Number(place < 0 ? fraction[-1 - place] : whole[whole.length - 1 - place]);
    }
    const count = Math.floor(turned);
    const unit = 10 ** order;
    const below = (count % unit) + turned - count;
    // A wheel moves the next one only in its last unit: 9.25 by a quarter, and 99.25 as well.
    const carried = style === "continuous" ? below / unit : Math.max(0, below - (unit - 1));
    return Math.min((((count - (count % unit)) / unit) % 10) + carried, 10 - 2 ** -49);
  };

  /** @type {WheelPart[]} */
  const parts = [prefix, before];
  /** @type {(text: string, presence: number) => void} */
  const put = (text, there) => void parts.push(there < 1 ? [text, there] : text);
  const [primary, secondary, least] = plan.groups ?? [0, 0, 1];
  for (let place = columns - 1; place >= -fraction.length; place--) {
    const beyond = place + 1 - primary;
    const isGroup = primary > 0 && place >= 0 && (beyond === 0 || (beyond > 0 && secondary > 0 && beyond % secondary === 0));
    const needed = Math.max(place + 1, primary + least - 1);
    if (isGroup && place + 1 < columns && needed < columns) put(separator, presence(needed));
    if (place === -1) put(point, 1);
    const there = presence(place);
    // An entering wheel stands on its future 1; another digit would be a leading zero.
    parts.push(there < 1 ? [place, 1, there] : [place, position(place)]);
  }
  return [...parts, behind, suffix].filter((part) => part !== "");
}
