// Formats numbers like the server, from the plan that its `motion` events contain.

/**
 * The texts before and after the digits.
 * @typedef {[string, string]} Affixes
 *
 * A text after the digits, one on either side, or all affixes: the same for all numbers, or by plural category.
 * With `alone` the text replaces the digits.
 * @typedef {string | Affixes | (Signed & { alone?: boolean })} Word
 * @typedef {Word | ({ other: Word } & Record<string, Word>)} Words
 * @typedef {{ positive?: Affixes, negative?: Affixes, zero?: Affixes }} Signed
 *
 * How to write a number: `NumberWriting` in openapi.yaml. The defaults are English.
 * @typedef {Signed & {
 *   decimals?: [number, number], integers?: number, shift?: number, rounding?: string, digits?: string,
 *   point?: string, separator?: string, clock?: "minutes" | "hours", groups?: [number, number, number], words?: Words, plural?: string,
 *   compact?: { digits?: number, forms: [number, number, Words][] },
 *   significant?: [number, number], strips?: boolean, negativeZero?: boolean,
 *   exponent?: { step: number, separator: string, minus: string },
 *   prefix?: string, suffix?: string, offset?: number, cardinal?: string, ordinal?: string,
 *   forms?: Record<string, (string | boolean)[]>,
 * }} NumberPlan
 *
 * How a number of one size is rounded: how far its point moves to the left, and the most and fewest digits after it.
 * @typedef {{ shift: number, decimals: number, minimum: number }} Placement
 *
 * @typedef {{ whole: string, fraction: string, isZero: boolean }} Digits
 */

/** The most decimals of a moving double: near zero it has hundreds. */
const MAX_DECIMALS = 20;

/**
 * Whether cutting off the digits `rest` rounds the magnitude up by one unit.
 * @type {(rest: string, rounding: string, isOdd: boolean, isNegative: boolean) => boolean}
 */
const roundsUp = (rest, rounding, isOdd, isNegative) => {
  if (!/[1-9]/.test(rest)) return false;
  const [, half, mode] = /^(half-)?(.*)$/.exec(rounding) ?? [];
  // Compared as strings, digit by digit.
  const middle = rest.replace(/0+$/, "");
  if (half && middle !== "5") return middle > "5";
  if (mode === "even") return isOdd;
  return mode === "expand" || mode === (isNegative ? "floor" : "ceil");
};

/** The shortest decimal of a number: its digits, and the power of ten of the first one. */
class Decimal {
  /** @param {number} value finite */
  constructor(value) {
    const [digits, power] = Math.abs(value).toExponential().split("e");
    this.digits = digits.replace(".", "");
    this.power = Number(power);
    this.isZero = value === 0;
    this.isNegative = value < 0;
  }

  /**
   * The digits in units of this decimal place; empty for zero.
   * @param {number} places
   * @param {string} rounding
   */
  units(places, rounding) {
    const kept = this.power + 1 + places;
    const head = this.digits.slice(0, Math.max(kept, 0)).padEnd(Math.max(kept, 0), "0");
    const rest = kept < 0 ? `0${this.digits}` : this.digits.slice(kept);
    const isOdd = /[13579]$/.test(head);
    const isUp = roundsUp(rest, rounding, isOdd, this.isNegative);
    return (isUp ? `${BigInt(head || 0) + 1n}` : head).replace(/^0+/, "");
  }
}

/**
 * Converts seconds to the digits of a clock: 3661 becomes 10101. Both are in units of the last decimal.
 * @type {(units: string, decimals: number, clock: string) => string}
 */
const clockDigits = (units, decimals, clock) => {
  const whole = BigInt(units.slice(0, Math.max(0, units.length - decimals)) || 0);
  const fraction = units.slice(Math.max(0, units.length - decimals)).padStart(decimals, "0");
  const [minutes, seconds] = [whole / 60n, whole % 60n];
  const larger = clock === "hours" ? (minutes / 60n) * 100n + (minutes % 60n) : minutes;
  return `${larger * 100n + seconds}${fraction}`.replace(/^0+/, "");
};

/**
 * Splits units at the decimal point.
 * @type {(units: string, placing: Placement, plan: NumberPlan) => Digits}
 */
const splitDigits = (units, placing, plan) => {
  const decimals = Math.max(0, placing.decimals);
  const minimum = Math.min(decimals, Math.max(0, placing.minimum));
  const zeros = units && "0".repeat(Math.max(0, -placing.decimals));
  const all = units + zeros;
  const digits = (plan.clock ? clockDigits(all, decimals, plan.clock) : all).padStart(decimals, "0");
  let fraction = digits.slice(digits.length - decimals);
  while (fraction.length > minimum && fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  if (plan.strips && !/[1-9]/.test(fraction)) fraction = "";
  const integers = plan.integers ?? 1;
  const whole = digits.slice(0, digits.length - decimals);
  // At least one digit must show, if only a zero.
  const least = minimum > 0 ? integers : Math.max(1, integers);
  return { whole: whole.padStart(least, "0"), fraction, isZero: !units };
};

/**
 * A value's digits under a plan, and, in compact and scientific notation, what depends on its size.
 * @param {number} value
 * @param {NumberPlan} plan
 */
export function digitsOf(value, plan) {
  const { shift = 0, rounding = "half-expand", decimals = [0, 0], compact, significant, exponent } = plan;
  const number = new Decimal(value);
  /** @type {(size: number) => [number, number, Words]} */
  const formOf = (size) => compact?.forms.findLast(([from]) => from <= size) ?? [0, 0, ""];
  /** @type {(size: number) => Placement} */
  const place = (size) => {
    const moved = compact
      ? formOf(size)[1]
      : exponent
        ? Math.floor(size / exponent.step) * exponent.step
        : 0;
    // The position of the first digit, relative to the point shown.
    const first = size - moved;
    let [minimum, most] = decimals;
    if (significant) [minimum, most] = significant.map((count) => count - 1 - first);
    else if (compact?.digits) [minimum, most] = [0, first > 0 ? 0 : 1 - first];
    return { shift: moved, decimals: Math.min(most, MAX_DECIMALS), minimum };
  };
  /** @type {(placing: Placement) => string} */
  const round = (placing) => number.units(placing.decimals - placing.shift + shift, rounding);

  let size = number.isZero ? 0 : number.power + shift;
  let placing = place(size);
  let units = round(placing);
  // 999 950 rounds to 1000 thousand, which is a million: the next size applies.
  const grown = units.length - placing.decimals + placing.shift - 1;
  if (grown > size) {
    size = grown;
    placing = place(size);
    units = round(placing);
  }
  if (!units) placing = place((size = 0));
  const digits = splitDigits(units, placing, plan);
  // The plural category is that of the whole number: 1E3 kilometers.
  const operands = exponent
    ? splitDigits(
        units,
        {
          shift: 0,
          decimals: placing.decimals - placing.shift,
          minimum: digits.fraction.length - placing.shift,
        },
        { ...plan, strips: false },
      )
    : digits;
  return { digits, operands, words: compact ? formOf(size)[2] : (plan.words ?? ""), power: placing.shift };
}

/** @type {Record<string, Intl.PluralRules>} by language, decimals and type */
const rules = {};

/** @type {(language: string, digits: Digits, type?: "cardinal" | "ordinal") => string} */
const categoryOf = (language, { whole, fraction }, type = "cardinal") => {
  const decimals = fraction.length;
  const rule = (rules[language + decimals + type] ??= new Intl.PluralRules(language, {
    type,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }));
  // Plural rules depend on small numbers and on the last six digits; Number() keeps only fifteen digits.
  const near = whole.length + decimals > 15 ? `1${whole.slice(-7)}` : whole;
  return rule.select(Number(`${near}.${fraction}`));
};

/**
 * Inserts group separators.
 * @param {string} whole
 * @param {NumberPlan} plan
 * @param {(digits: string) => string} own converts ASCII digits to the script's
 */
function grouped(whole, { groups: [primary, secondary, least] = [0, 0, 1], separator = ",", clock }, own) {
  if (!primary || whole.length < primary + least) return own(whole);
  const groups = [whole.slice(-primary)];
  for (let rest = whole.slice(0, -primary); rest; rest = secondary ? rest.slice(0, -secondary) : "") {
    // A clock's first unit takes all remaining digits.
    if (clock && groups.length > 1) return [rest, ...groups].map(own).join(separator);
    groups.unshift(secondary ? rest.slice(-secondary) : rest);
  }
  return groups.map(own).join(separator);
}

/**
 * Negative numbers default to a minus before the affixes of positive ones.
 * @type {(signed: Signed, sign: string) => Affixes}
 */
const signAffixes = ({ positive = ["", ""], negative, zero }, sign) => {
  if (sign === "negative") return negative ?? [`-${positive[0]}`, positive[1]];
  return sign === "zero" ? (zero ?? positive) : positive;
};

/** @type {(words: Words) => words is { other: Word } & Record<string, Word>} */
const hasForms = (words) => typeof words === "object" && "other" in words;

/**
 * The text beside a number, or instead of its digits.
 * @type {(words: Words, plan: NumberPlan, operands: Digits, sign: string) => Word}
 */
const wordOf = (words, plan, operands, sign) => {
  if (!hasForms(words)) return words;
  const { whole, fraction } = operands;
  const isOne = sign === "positive" && /^0*1$/.test(whole) && !/[1-9]/.test(fraction);
  return (isOne && words["=1"]) || (words[categoryOf(plan.plural ?? "en", operands)] ?? words.other);
};

/**
 * Whether a text replaces the digits, as in Arabic "two days".
 * @param {number} value
 * @param {NumberPlan} plan
 * @param {ReturnType<typeof digitsOf>} [shown]
 */
export function isWordOnly(value, plan, shown = digitsOf(value, plan)) {
  const { words, operands } = shown;
  if (!hasForms(words)) return false;
  const word = wordOf(words, plan, operands, value < 0 ? "negative" : "positive");
  return typeof word === "object" && "alone" in word;
}

/**
 * The texts before and after a value's digits.
 * @param {number} value
 * @param {NumberPlan} plan
 * @param {ReturnType<typeof digitsOf>} [shown]
 * @returns {Affixes}
 */
export function affixesOf(value, plan, shown = digitsOf(value, plan)) {
  const { digits, operands, words } = shown;
  const isZero = digits.isZero && !(value < 0 && plan.negativeZero);
  const sign = isZero ? "zero" : value < 0 ? "negative" : "positive";
  const [before, behind] = signAffixes(plan, sign);
  const word = wordOf(words, plan, operands, sign);
  if (typeof word === "string") return [before, word + behind];
  return Array.isArray(word) ? [before + word[0], word[1] + behind] : signAffixes(word, sign);
}

/**
 * The ten digits of a script from zero; the server usually sends only the zero.
 * @param {string} digits
 */
export function scriptDigits(digits) {
  const faces = [...digits];
  if (faces.length > 1) return faces;
  const zero = faces[0].codePointAt(0) ?? 0;
  return Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(zero + digit));
}

/**
 * A function that writes only the number.
 * @param {NumberPlan} plan
 * @returns {(value: number) => string}
 */
function digitFormatter(plan) {
  const faces = plan.digits && scriptDigits(plan.digits);
  /** @type {(text: string) => string} */
  const own = (text) => (faces ? text.replace(/\d/g, (digit) => faces[Number(digit)]) : text);

  return (value) => {
    const shown = digitsOf(value, plan);
    const { digits, power } = shown;
    const [before, behind] = affixesOf(value, plan, shown);
    if (isWordOnly(value, plan, shown)) return before + behind;
    let text = grouped(digits.whole, plan, own);
    if (digits.fraction) text += (plan.point ?? ".") + own(digits.fraction);
    if (plan.exponent) {
      const { separator, minus } = plan.exponent;
      text += separator + (power < 0 ? minus : "") + own(`${Math.abs(power)}`);
    }
    return before + text + behind;
  };
}

/**
 * A function that writes a value's text; undefined if this browser doesn't know the plural rules.
 * @param {NumberPlan} plan
 * @returns {((value: number) => string) | undefined}
 */
export function numberFormatter(plan) {
  const { plural, cardinal, ordinal, prefix = "", suffix = "", offset = 0, forms } = plan;
  const isKnown = [plural, cardinal, ordinal].every(
    (language) => !language || Intl.PluralRules.supportedLocalesOf(language).length,
  );
  if (!isKnown) return undefined;
  const write = digitFormatter(plan);
  if (!forms) return (value) => prefix + write(value) + suffix;

  // A message selects its form by the plain number, without compact notation or exponent.
  const { compact, exponent, significant, strips, clock, ...fixed } = plan;
  const plain = compact || exponent || clock ? fixed : plan;
  /** @type {(digits: Digits) => (string | boolean)[]} */
  const formOf = (digits) => {
    const count = cardinal ? categoryOf(cardinal, digits) : "other";
    const rank = ordinal ? categoryOf(ordinal, digits, "ordinal") : "other";
    return forms[`${count}-${rank}`] ?? forms[ordinal ? rank : count] ?? forms.other;
  };
  return (value) => {
    const { operands } = digitsOf(value, plain);
    const { whole, fraction, isZero } = operands;
    const isWhole = !/[1-9]/.test(fraction) && (value >= 0 || isZero);
    const exact = isWhole && forms[`=${whole.replace(/^0+(?=.)/, "") || 0}`];
    if (!offset) return (exact || formOf(operands)).join(write(value));
    const form = exact || formOf(digitsOf(value - offset, plain).operands);
    return form.map((part) => (typeof part === "string" ? part : write(part ? value - offset : value))).join("");
  };
}

/**
 * A value as a fraction of a maximum; of a maximum of zero it is all.
 * @param {number} value
 * @param {number} maximum
 */
export function fractionOf(value, maximum) {
  return maximum > 0 ? value / maximum : maximum === 0 && value >= 0 ? 1 : 0;
}

/**
 * A progress' percentage in units of its last decimal: truncated, never beyond the one it is heading for, and below 100
 * while the value is below the maximum.
 * @param {number} value
 * @param {number} maximum
 * @param {number} end where the value goes; infinite while the maximum changes
 * @param {number} [decimals]
 */
export function percentOf(value, maximum, end, decimals = 0) {
  const whole = 100 * 10 ** decimals;
  if (!(maximum > 0)) return whole * fractionOf(value, maximum);
  /** @type {(value: number) => number} */
  const truncated = (value) => {
    const scaled = (whole * value) / maximum;
    // A product that misses a whole percentage by its last bits counts as that.
    const reach = 1e-12 * Math.max(1, Math.abs(scaled));
    return Math.trunc(scaled + (scaled < 0 ? -reach : reach));
  };
  const last = end === Infinity ? Infinity : truncated(end);
  if (value === end) return last;
  const percent = value < end ? Math.min(truncated(value), last) : Math.max(truncated(value), last);
  return value < maximum ? Math.min(percent, whole - 1) : Math.max(percent, whole);
}
