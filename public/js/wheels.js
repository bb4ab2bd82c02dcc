// Digit wheels: one wheel for each digit of a text, everything else stays static text.
// A frame's digits are where the wheels go; a wheel never takes longer than the gap between its last two changes,
// so that fast wheels sit on each frame and slow ones roll.

const NUMBER = /\p{Nd}(?:[\p{Nd}.,\u00a0\u202f\u2019\u066b\u066c']*\p{Nd})?/gu;
const DIGIT = /\p{Nd}/u;
const LONGEST = 420;
const turning = new Set();
let last = 0;

/** A decimal digit of any script: its value and its script's zero. */
function digitOf(character) {
  const code = character.codePointAt(0);
  if (code >= 0x1d7ce) return [(code - 0x1d7ce) % 10, code - ((code - 0x1d7ce) % 10)];
  let zero = code;
  while (code - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
  return [code - zero, zero];
}

/** One strip of digits behind a window. It moves on a critically damped spring, from wherever it is. */
class Wheel {
  constructor(zero, digit) {
    this.element = document.createElement("span");
    this.element.className = "wheel";
    this.element.part = "digit";
    this.strip = document.createElement("span");
    for (let i = 0; i <= 10; i++) {
      this.strip.append(Object.assign(document.createElement("span"), {
        textContent: String.fromCodePoint(zero + (i % 10)),
      }));
    }
    this.element.append(this.strip);
    this.zero = zero;
    this.digit = digit;
    this.element.dataset.digit = digit;
    this.target = this.position = digit;
    this.speed = 0;
    this.changed = -Infinity;
    this.place();
  }

  /** Goes to a digit: `up` the way a rising number turns, else down; jumps where there is no time to roll. */
  turn(digit, up, now, still) {
    if (digit === this.digit) return;
    const gap = Math.min(LONGEST, now - this.changed);
    const way = digit - this.digit;
    this.target += up ? (way + 10) % 10 : -((10 - way) % 10);
    this.digit = digit;
    this.element.dataset.digit = digit;
    this.changed = now;
    this.rate = 7000 / gap;
    if (still || gap < 50) this.rest();
    else turning.add(this);
  }

  rest() {
    turning.delete(this);
    this.position = this.target = this.digit;
    this.speed = 0;
    this.place();
  }

  /** One screen frame of x'' = -2wx' - w²x, solved exactly; true when it has arrived. */
  advance(seconds) {
    const away = this.position - this.target;
    const w = this.rate;
    const fade = Math.exp(-w * seconds);
    const push = this.speed + w * away;
    this.position = this.target + (away + push * seconds) * fade;
    this.speed = (this.speed - w * push * seconds) * fade;
    if (Math.abs(this.position - this.target) < 0.004 && Math.abs(this.speed) < 0.05) return true;
    this.place();
    return false;
  }

  place() {
    const shown = ((this.position % 10) + 10) % 10;
    this.strip.style.transform = `translateY(${(shown * -100) / 11}%)`;
  }
}

function spin(time) {
  const seconds = Math.min(0.05, (time - last) / 1000);
  last = time;
  for (const wheel of turning) if (wheel.advance(seconds)) wheel.rest();
  if (turning.size) requestAnimationFrame(spin);
}

function start() {
  if (!turning.size) {
    last = performance.now();
    requestAnimationFrame(spin);
  }
}

/** A text with wheels, inside an element of the caller's. Digits keep their wheel by their place from the right. */
export class Wheels {
  constructor(element) {
    this.element = element;
    this.shape = "";
    this.numbers = [];
    this.value = 0;
  }

  /** Shows a frame's text; `value` says which way to turn, `still` forbids to roll. */
  show(text, value, still) {
    const now = performance.now();
    const up = !(value < this.value);
    this.value = value;
    const shape = text.replace(/\p{Nd}/gu, "0");
    const fresh = shape !== this.shape;
    if (fresh) this.build(text);
    this.shape = shape;
    start();
    let index = 0;
    for (const match of text.matchAll(NUMBER)) {
      const row = this.numbers[index++];
      const digits = [...match[0]].filter((character) => DIGIT.test(character));
      for (let i = 0; i < digits.length; i++) {
        row[row.length - digits.length + i].turn(digitOf(digits[i])[0], up, now, still);
      }
    }
  }

  /** Lays out static parts and wheels again, with the wheels that were there. */
  build(text) {
    const old = this.numbers;
    this.numbers = [];
    const parts = [];
    let end = 0;
    for (const match of text.matchAll(NUMBER)) {
      parts.push(text.slice(end, match.index), this.row(match[0], old[this.numbers.length] ?? []));
      end = match.index + match[0].length;
    }
    this.element.replaceChildren(...[...parts, text.slice(end)].filter((part) => part !== ""));
  }

  row(number, before) {
    const box = document.createElement("span");
    box.className = "number";
    box.dir = "ltr";
    const characters = [...number];
    const count = characters.filter((character) => DIGIT.test(character)).length;
    const wheels = [];
    for (const character of characters) {
      if (!DIGIT.test(character)) {
        box.append(character);
        continue;
      }
      const [digit, zero] = digitOf(character);
      const kept = before[before.length - count + wheels.length];
      const wheel = kept?.zero === zero ? kept : new Wheel(zero, digit);
      wheels.push(wheel);
      box.append(wheel.element);
    }
    for (const wheel of before) if (!wheels.includes(wheel)) turning.delete(wheel);
    this.numbers.push(wheels);
    return box;
  }
}
