// Numbers that count up when they first become visible. The texts on the way are written like the final one: digits
// replace its digits, and everything around them stays.

/**
 * The number in a text: the text by characters, the positions of its digits, and how many of these are decimals.
 * @typedef {{ faces: string[], at: number[], decimals: number }} Pattern
 *
 * @typedef {import("./wheels.js").Part} Part
 */

/** @param {string} face */
const isDigit = (face) => /\p{Nd}/u.test(face);

/** @param {string} face a digit */
function zeroOf(face) {
  const code = face.codePointAt(0) ?? 0;
  // The ten digits of a script start or end a row of sixteen code points.
  return (code & ~15) + (isDigit(String.fromCodePoint(code | 15)) ? 6 : 0);
}

/**
 * The positions of each number's digits; a single separator may stand between two of them.
 * @param {string[]} faces
 */
function numbersIn(faces) {
  /** @type {number[][]} */
  const numbers = [];
  faces.forEach((face, index) => {
    if (!isDigit(face)) return;
    const last = numbers.at(-1);
    const gap = index - 1 - (last?.at(-1) ?? -Infinity);
    if (last && (gap === 0 || (gap === 1 && !/[\p{L} ]/u.test(faces[index - 1])))) last.push(index);
    else numbers.push([index]);
  });
  return numbers;
}

/**
 * @param {string[]} faces
 * @param {number[]} at
 */
const read = (faces, at) =>
  Number(at.map((index) => (faces[index].codePointAt(0) ?? 0) - zeroOf(faces[index])).join(""));

/**
 * The number of digits behind a number's last separator; 0 if it has none.
 * @param {number[]} at
 */
function behindLast(at) {
  const last = at.findLastIndex((place, index) => index > 0 && place > at[index - 1] + 1);
  return last < 0 ? 0 : at.length - last;
}

/**
 * The position of a number in a text; undefined if the text doesn't contain it in full.
 * @param {string} text
 * @param {number} number
 * @returns {Pattern | undefined}
 */
function patternOf(text, number) {
  const faces = [...text];
  for (const at of numbersIn(faces)) {
    for (const decimals of [0, behindLast(at)]) {
      const unit = 10 ** decimals;
      if (Math.abs(read(faces, at) - Math.abs(number) * unit) <= 1) return { faces, at, decimals };
    }
  }
  return undefined;
}

/**
 * The number in the page's own text; 0 if it has none.
 * @param {string} text
 * @param {Pattern} pattern of the text that replaces it
 */
function numberIn(text, { faces: around, at: places, decimals }) {
  const faces = [...text];
  const [at] = numbersIn(faces);
  if (!at) return 0;
  const behind = behindLast(at);
  const sign = behind ? faces[at[at.length - behind] - 1] : "";
  const point = decimals ? around[places[places.length - decimals] - 1] : "";
  const isPoint = point ? sign === point : behind !== 3;
  return read(faces, at) / 10 ** (isPoint ? behind : 0);
}

/**
 * The digits of a number with this many decimals.
 * @param {number} number
 * @param {number} decimals
 */
const digitsOf = (number, decimals) =>
  `${Math.floor(Math.abs(number) * 10 ** decimals + 1e-6)}`.padStart(decimals + 1, "0");

/**
 * @param {Pattern} pattern
 * @param {number} number
 */
function format({ faces, at, decimals }, number) {
  const digits = [...digitsOf(number, decimals)];
  const zero = zeroOf(faces[at[0]]);
  const own = digits.map((digit) => String.fromCodePoint(zero + Number(digit)));
  const more = own.splice(0, Math.max(0, own.length - at.length));
  const first = at.length - own.length;
  const end = (at.at(-1) ?? 0) + 1;
  const middle = faces.slice(at[first], end);
  own.forEach((digit, index) => {
    middle[at[first + index] - at[first]] = digit;
  });
  return [...faces.slice(0, at[0]), ...more, ...middle, ...faces.slice(end)].join("");
}

/**
 * Wheels of a number that turn like a counter's: the last one steadily, the others with it.
 * @param {Part[]} parts
 * @param {number} number
 */
function wheelsAt(parts, number) {
  const isWheel = (/** @type {Part} */ part) => typeof part[0] === "number";
  const places = parts.filter(isWheel).map(([place]) => Number(place));
  const last = Math.min(...places);
  const units = Math.abs(number) / 10 ** last;
  const highest = digitsOf(number, Math.max(0, -last)).length - 1 + last;
  const first = parts.findIndex(isWheel);
  const kept = parts.findIndex((part) => isWheel(part) && Number(part[0]) <= highest);
  return [...parts.slice(0, first), ...parts.slice(kept)].map((part) => {
    if (!isWheel(part)) return part;
    const unit = 10 ** (Number(part[0]) - last);
    const carried = Math.max(0, (units % unit) - (unit - 1));
    return [part[0], (Math.floor(units / unit) % 10) + carried];
  });
}

/**
 * The frame at a point of the way.
 * @param {any} goal a frame
 * @param {string | null} from the number to start at, if the page gives one
 * @param {string} before the page's own text
 * @param {number} share of the time, from 0 to 1
 */
export function countUpFrame(goal, from, before, share) {
  const end = Number(goal.value);
  // A percentage may be that of a fraction, or the value itself.
  const scales = [1, goal.percent / end, 100];
  const scale = scales.find((one) => patternOf(goal.text, end * one)) ?? 1;
  const pattern = patternOf(goal.text, end * scale);
  const wanted = from === null ? pattern && numberIn(before, pattern) / scale : Number(from);
  const begin = wanted && wanted * end > 0 ? wanted : 0;
  const value = begin + (end - begin) * (1 - (1 - share) ** 3);
  const part = end ? value / end : 1;
  const { fraction, percent, wheels } = goal;
  return {
    ...goal,
    value,
    text: pattern ? format(pattern, value * scale) : goal.text,
    ...(fraction != null && { fraction: fraction * part, percent: Math.trunc(percent * part) }),
    ...(wheels && { wheels: pattern && wheelsAt(wheels, value * scale) }),
  };
}
