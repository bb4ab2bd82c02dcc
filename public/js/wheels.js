// A number's text, with wheels over the digits that move. The text is what can be read, searched, selected and copied;
// wheels only cover it.
import { MEASURE_INTERVAL, reducedMotion, TextColumn, WheelColumn } from "./wheel-columns.js";
import { WidthHold } from "./width-hold.js";

/**
 * A part of a number in a frame: a text, or a wheel as its power of ten and its position in digits. A last number below
 * 1 is how far the part has entered.
 * @typedef {string | [string, number] | [number, number] | [number, number, number]} Part
 */

/** Milliseconds between two updates of the text under moving wheels. */
const TEXT_INTERVAL = 1000;

/** Milliseconds that a number must stand on whole digits to be at rest: a moving one does so for a frame at times, and
 *  a busy page draws few frames. */
const REST_TIME = 250;

/** @type {(part: Part) => part is [number, number] | [number, number, number]} */
const isWheel = (part) => typeof part[0] === "number";

/** Characters from which a text's words are separate from its number. */
const LONG = 40;

/** @param {Part} part */
const partText = (part) => (typeof part === "string" ? part : `${part[0]}`);

/** @param {Part} part */
const presenceOf = (part) => (typeof part === "string" ? 1 : (part[isWheel(part) ? 2 : 1] ?? 1));

/** @param {Part} part */
const rests = (part) => presenceOf(part) === 1 && !(isWheel(part) && part[1] % 1 !== 0);

/** More than a number has columns. The keys of texts before and after a number lie beyond those of its wheels. */
const MAX_COLUMNS = 10_000;

/** Counts numbers, so that their periodic work is spread over time. */
let count = 0;

/** A number in an element, as columns for its parts. */
export class Wheels {
  /** @type {Map<number, TextColumn | WheelColumn>} */
  #columns = new Map();

  /** @type {(TextColumn | WheelColumn)[]} */
  #entering = [];

  /** The columns in use, in order.
   *  @type {(TextColumn | WheelColumn)[]} */
  #shown = [];

  /** @type {string[]} */
  #faces = [];

  /** The indices of the first and the last wheel. */
  #first = -1;
  #last = -1;

  /** Whether wheels stand on whole digits and turn quickly from one to the next; otherwise they follow the number. */
  isStepping = false;

  #script = "";
  #shape = "";
  #phase = count++ % 10;
  #textUpdatedAt = 0;
  #restTimer = 0;

  /** The number that the wheels show, when it was read, and its speed in units a second. */
  #reading = NaN;
  #readAt = 0;
  #speed = 0;
  /** The power of ten of the last wheel. */
  #least = 0;

  /** Updates the text. */
  #read = () => {};

  #isResting = true;
  #element;
  #widthHold;

  /** @param {HTMLElement} element that shows the number */
  constructor(element) {
    this.#element = element;
    this.#widthHold = new WidthHold(element);
  }

  /**
   * Shows a text without wheels.
   * @param {string} text
   * @param {string} [number] the part of a long text that must not be cut off
   */
  write(text, number) {
    if (this.#shape) this.#clear();
    if (this.#element.textContent === text) return;
    const at = number && text.length > LONG ? text.lastIndexOf(number) : -1;
    if (!number || at < 0) this.#element.textContent = text;
    else {
      const words = [text.slice(0, at), text.slice(at + number.length)].map((some) => {
        const column = new TextColumn("affix");
        column.write(some, false);
        return column.element;
      });
      this.#element.replaceChildren(words[0], number, words[1]);
    }
  }

  #clear() {
    this.#columns.clear();
    this.#shown = [];
    this.#shape = "";
    this.#read = () => {};
    this.#element.replaceChildren();
    this.#rest();
  }

  /**
   * Shows a frame.
   * @param {{ text: string, wheels: Part[], digits?: string }} frame `digits` are the script's, from zero, unless
   *   they are 0 to 9
   * @param {boolean} isCounter whether the wheels turn like a counter's
   * @param {number} [now] in milliseconds
   */
  show({ text, wheels: parts, digits = "0123456789" }, isCounter, now = performance.now()) {
    if (reducedMotion.matches) return this.write(text);
    if (digits !== this.#script || !this.#shape) this.#useScript(digits);
    const isWhole = parts.every(rests);
    const isMeasured = isCounter && this.#measure(parts, now);
    const drawn = this.isStepping ? this.#settledParts(text, parts, isCounter) : parts;
    const shape = drawn.map((part) => (isWheel(part) ? part[0] : "")).join();
    const isArranged = shape !== this.#shape;
    if (isArranged) this.#arrange(drawn);
    this.#shape = shape;
    const isDue = isMeasured || isWhole || isArranged;
    this.#draw(drawn, { text, isCounter, isDue, now });
    this.#read = () => this.#updateText(text, drawn);
    if (isArranged || (isWhole && this.#isResting) || now - this.#textUpdatedAt >= TEXT_INTERVAL) {
      this.#read();
      this.#textUpdatedAt = now;
    }
    for (const column of this.#entering.splice(0)) column.enter();
    if (this.#restTimer) clearTimeout(this.#restTimer);
    this.#restTimer = isWhole && !this.#isResting ? setTimeout(() => this.#rest(), REST_TIME) : 0;
    if (!isWhole) this.#startTurning(now);
  }

  /**
   * Measures a counter's speed by its number: its wheels may have gone round between two frames.
   * @param {Part[]} parts
   * @param {number} now in milliseconds
   * @returns {boolean} whether there is a new measurement
   */
  #measure(parts, now) {
    const passed = now - this.#readAt;
    if (passed < MEASURE_INTERVAL) return false;
    // An entering wheel stands on a digit that the number doesn't have yet.
    const wheels = parts.filter(isWheel).filter((part) => presenceOf(part) === 1);
    const [least, last] = wheels.at(-1) ?? [0, 0];
    this.#least = least;
    const reading = wheels.reduce(
      (sum, [place, at]) => sum + Math.floor(at) * 10 ** place, (last % 1) * 10 ** least,
    );
    this.#speed = (Math.abs(reading - this.#reading) / passed) * 1000 || 0;
    this.#reading = reading;
    this.#readAt = now;
    return true;
  }

  /** A number on whole digits rests at once; one between digits becomes sharp. */
  settle() {
    if (this.#restTimer) this.#rest();
    else this.#sharpen();
  }

  #sharpen() {
    for (const column of this.#shown) if (column instanceof WheelColumn) column.sharpen();
  }

  #rest() {
    clearTimeout(this.#restTimer);
    this.#restTimer = 0;
    this.#isResting = true;
    this.#element.classList.remove("turning");
    this.#sharpen();
    this.#read();
    this.#widthHold.release();
  }

  /** @param {number} now in milliseconds */
  #startTurning(now) {
    if (!this.#isResting) return;
    this.#isResting = false;
    this.#textUpdatedAt = now - (this.#phase * TEXT_INTERVAL) / 10;
    this.#element.classList.add("turning");
    this.#widthHold.request();
  }

  /**
   * @param {Part[]} parts
   * @param {{ text: string, isCounter: boolean, isDue: boolean, now: number }} frame `isDue` if a blur is drawn, too
   */
  #draw(parts, { text, isCounter, isDue, now }) {
    const digits = this.isStepping && isCounter ? this.#digitsOf(text, parts) : [];
    for (let index = parts.length - 1; index >= 0; index--) {
      const part = parts[index];
      const column = this.#shown[index];
      if (column instanceof TextColumn) {
        column.write(partText(part), index > this.#last);
        column.appear(this.isStepping ? 1 : presenceOf(part));
      } else if (isWheel(part)) {
        const [place, position, presence = 1] = part;
        const speed = isCounter ? this.#speed / 10 ** place : column.measure(position, now);
        // A counter's last wheel moves those before it.
        const rate = isCounter ? this.#speed / 10 ** this.#least : speed;
        const digit = digits.pop() ?? Math.round(position) % 10;
        column.standOn(this.isStepping ? digit : undefined, rate);
        if (isDue || !column.isFast) column.turn(position, this.isStepping ? 1 : presence, speed);
      }
    }
  }

  /**
   * The text's digits under wheels, from left to right; fewer than the wheels while one enters or leaves.
   * @param {string} text
   * @param {Part[]} parts
   */
  #digitsOf(text, parts) {
    /** @param {string} part */
    const digitsIn = (part) =>
      [...part].map((face) => this.#faces.indexOf(face)).filter((digit) => digit >= 0);
    /** @param {Part[]} some */
    const count = (some) => digitsIn(some.map(partText).join("")).length;
    const before = count(parts.slice(0, parts.findIndex(isWheel)));
    const behind = count(parts.slice(parts.findLastIndex(isWheel) + 1));
    const all = digitsIn(text);
    return all.slice(before, all.length - behind);
  }

  /**
   * The parts that are in the text, for wheels that stand on digits.
   * @param {string} text
   * @param {Part[]} parts
   * @param {boolean} isCounter
   */
  #settledParts(text, parts, isCounter) {
    if (parts.every((part) => presenceOf(part) === 1)) return parts;
    // In a counter everything enters or leaves together with the first digit.
    const minimum = this.#digitsOf(text, parts).length >= parts.filter(isWheel).length ? 0 : 1;
    return parts.filter((part) => presenceOf(part) >= (isCounter ? minimum : 0.5));
  }

  /**
   * Updates the text of all columns.
   * @param {string} text
   * @param {Part[]} parts
   */
  #updateText(text, parts) {
    const digits = this.#digitsOf(text, parts);
    for (let index = this.#last; index >= this.#first; index--) {
      const column = this.#shown[index];
      if (column instanceof TextColumn) column.read(digits.length > 0);
      else column.read(digits.pop(), this.#isResting);
    }
  }

  /**
   * Creates and orders the columns; those no longer needed leave from where they are.
   * @param {Part[]} parts
   */
  #arrange(parts) {
    const isNew = !this.#columns.size;
    this.#first = parts.findIndex(isWheel);
    this.#last = parts.findLastIndex(isWheel);
    const keys = parts.map((_, index) => this.#keyOf(parts, index));
    const wanted = new Set(keys);
    for (const [key, column] of this.#columns) if (!wanted.has(key)) this.#removeColumn(key, column);
    for (let index = parts.length - 1; index >= 0; index--) {
      const known = this.#columns.get(keys[index]);
      const column = known ?? this.#columnFor(parts, index);
      if (!isNew && (!known || column.leaving)) this.#entering.push(column);
      // A leaving text was removed from the text.
      if (column.leaving && column instanceof TextColumn) column.read(true);
      this.#columns.set(keys[index], column);
      this.#shown[index] = column;
      if (column instanceof WheelColumn) {
        const behind = index === this.#last ? partText(parts[index + 1] ?? "") : "";
        column.placeWindow(index === this.#first, index === this.#last, behind);
      }
    }
    this.#orderColumns();
    this.#shown.length = parts.length;
  }

  /** Orders the columns, leaving ones included: a sign comes before all digits, even one that leaves and may return. */
  #orderColumns() {
    /** @type {Node | null} */
    let next = null;
    for (const [, { element }] of [...this.#columns].sort(([a], [b]) => b - a)) {
      if (element.nextSibling !== next || !element.parentNode) this.#element.insertBefore(element, next);
      next = element;
    }
  }

  /** @param {string} script the digits, from zero */
  #useScript(script) {
    this.#clear();
    this.#script = script;
    const faces = (this.#faces = [...script]);
    this.#element.style.setProperty("--faces", `"${[...faces, faces[0]].join("\\a ")}"`);
  }

  /**
   * Identifies a column while others come and go: a wheel by its power of ten, a text outside of the wheels by its
   * distance from that side's end, a separator by the wheel after it. Columns are ordered by their keys.
   * @param {Part[]} parts
   * @param {number} index
   */
  #keyOf(parts, index) {
    if (index < this.#first) return index - MAX_COLUMNS;
    if (index > this.#last) return MAX_COLUMNS + index - parts.length;
    const [place] = parts[index];
    return isWheel(parts[index]) ? -place : -parts[index + 1][0] - 0.5;
  }

  /**
   * @param {Part[]} parts
   * @param {number} index
   */
  #columnFor(parts, index) {
    if (isWheel(parts[index])) return new WheelColumn(this.#faces);
    return new TextColumn(index > this.#first && index < this.#last ? "separator" : "affix");
  }

  /**
   * @param {number} key
   * @param {TextColumn | WheelColumn} column
   */
  #removeColumn(key, column) {
    column.leave(() => {
      column.element.remove();
      if (this.#columns.get(key) === column) this.#columns.delete(key);
    });
  }
}
