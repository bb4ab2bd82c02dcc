// Where the wheels of a number's digits stand, as the frames of styles that follow the value have them.
import { affixesAround, digitsOf, standsAlone } from "./number-format.js";

/**
 * A text, or a wheel by the power of ten that it counts and where it stands, 0 to under 10; less than 1 at the end tells how
 * far something is there that enters or leaves.
 * @typedef {string | [string, number] | [number, number] | [number, number, number]} WheelPart
 */

/** The most places, from the last digit, that a double tells apart. */
const MOST_PLACES = 16;

/**
 * The wheels of a value.
 * @param {number} value
 * @param {import("./number-format.js").NumberPlan} plan of a motion's `number`
 * @param {"odometer" | "continuous"} [style] the others turn from where they stood before, which only the server knows
 * @param {boolean} [isTurning] false for what rests: every wheel stands on its digit
 * @returns {WheelPart[] | undefined} undefined where digits stand for no fixed places, or the last is one character with what
 *   follows it
 */
export function wheelsOf(value, plan, style = "odometer", isTurning = true) {
  const { compact, significant, exponent, strips, clock, forms, suffix = "", prefix = "" } = plan;
  if (compact || significant || exponent || strips || clock || forms) return undefined;
  const { decimals: [, most] = [0, 0], shift = 0, integers = 1, separator = ",", point = "." } = plan;
  const [before, behind] = affixesAround(value, plan);
  if (!behind && /^[\p{M}\u200d]/u.test(suffix)) return undefined;
  if (standsAlone(value, plan)) return [prefix, before, behind, suffix].filter((part) => part !== "");
  const { whole, fraction } = digitsOf(value, plan).digits;
  const units = Math.abs(value) * 10 ** Math.min(most + shift, 22);
  // Beyond 2^52 a double has no fraction of a unit left.
  const turned = isTurning && units < 2 ** 52 ? units : undefined;

  let [columns, entered] = [whole.length, 0];
  if (turned !== undefined) {
    /** @type {(count: number) => number} */
    const edge = (count) => 10 ** Math.min(count + most, 22);
    // The text has rounded up, or has not yet.
    if (whole.length > integers && turned < edge(whole.length - 1)) columns--;
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
    // Only the last unit of a turn moves the next wheel: 9.25 below is a quarter, 99.25 as well.
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
    // One that enters stands on the 1 it will show: before that it would be a leading zero.
    parts.push(there < 1 ? [place, 1, there] : [place, position(place)]);
  }
  return [...parts, behind, suffix].filter((part) => part !== "");
}
