// A number's own text, with wheels over the digits that move. What is read, found, selected and
// copied is the text; wheels only cover it.
import { MEASURED, still, TextColumn, WheelColumn } from "./wheel-columns.js";
import { Room } from "./width-hold.js";

/**
 * A part of a number as frames tell it: a text; a wheel as its power of ten and its position in
 * digits; with a last number, less than 1, how far it is there while it enters or leaves.
 * @typedef {string | [string, number] | [number, number] | [number, number, number]} Part
 */

/** The text under moving wheels is brought up to date this often, in milliseconds. */
const READABLE = 1000;

/** A number that stands on whole digits for this long, in milliseconds, rests: on its way it stands
 *  on them for a frame at a time, and a busy page draws few frames. */
const RESTING = 250;

/** @type {(part: Part) => part is [number, number] | [number, number, number]} */
const isWheel = (part) => typeof part[0] === "number";

/** Characters from which the words of a text are told apart from its number. */
const LONG = 40;

/** @param {Part} part */
const textOf = (part) => (typeof part === "string" ? part : `${part[0]}`);

/** @param {Part} part */
const presenceOf = (part) => (typeof part === "string" ? 1 : (part[isWheel(part) ? 2 : 1] ?? 1));

/** @param {Part} part */
const rests = (part) => presenceOf(part) === 1 && !(isWheel(part) && part[1] % 1 !== 0);

/** More columns than a number has: texts before it and behind it have keys beyond those of its wheels. */
const MOST_COLUMNS = 10_000;

/** How many numbers there are: what each does now and then they do one after the other. */
let count = 0;

/** A number in an element: its parts, as columns. */
export class Wheels {
  /** @type {Map<number, TextColumn | WheelColumn>} */
  columns = new Map();

  /** @type {(TextColumn | WheelColumn)[]} */
  entering = [];

  /** The columns that are wanted, in order.
   *  @type {(TextColumn | WheelColumn)[]} */
  shown = [];

  /** @type {string[]} */
  faces = [];

  /** The first and the last wheel of the parts. */
  first = -1;
  last = -1;

  /** Whether wheels stand on whole digits, and turn from one to the next in a moment; else they
   *  stand wherever the number is. */
  isStepping = false;

  script = "";
  shape = "";
  phase = count++ % 10;
  saidAt = 0;
  resting = 0;

  /** What the wheels read, since when, and how fast that goes, in units a second. */
  reading = NaN;
  readAt = 0;
  speed = 0;
  /** The place of the last wheel. */
  least = 0;

  /** Brings the text up to date. */
  read = () => {};

  isResting = true;

  /** @param {HTMLElement} element where it is shown */
  constructor(element) {
    this.element = element;
    this.room = new Room(element);
  }

  /**
   * Shows a text without wheels.
   * @param {string} text
   * @param {string} [number] what in it may not give way, where the text has many words
   */
  write(text, number) {
    if (this.shape) this.clear();
    if (this.element.textContent === text) return;
    const at = number && text.length > LONG ? text.lastIndexOf(number) : -1;
    if (!number || at < 0) this.element.textContent = text;
    else {
      const words = [text.slice(0, at), text.slice(at + number.length)].map((some) => {
        const column = new TextColumn("affix");
        column.write(some, false);
        return column.element;
      });
      this.element.replaceChildren(words[0], number, words[1]);
    }
  }

  clear() {
    this.columns.clear();
    this.shown = [];
    this.shape = "";
    this.read = () => {};
    this.element.replaceChildren();
    this.rest();
  }

  /**
   * Shows a frame.
   * @param {{ text: string, wheels: Part[], digits?: string }} frame `digits` are those of its
   *   script, from zero, where they aren't 0 to 9
   * @param {boolean} isCounter whether wheels follow the number, as a counter's do
   * @param {number} [now] in milliseconds
   */
  show({ text, wheels: parts, digits = "0123456789" }, isCounter, now = performance.now()) {
    if (still.matches) return this.write(text);
    if (digits !== this.script || !this.shape) this.begin(digits);
    const isWhole = parts.every(rests);
    const isMeasured = isCounter && this.measure(parts, now);
    const drawn = this.isStepping ? this.standing(text, parts, isCounter) : parts;
    const shape = drawn.map((part) => (isWheel(part) ? part[0] : "")).join();
    const isArranged = shape !== this.shape;
    if (isArranged) this.arrange(drawn);
    this.shape = shape;
    const isDue = isMeasured || isWhole || isArranged;
    this.draw(drawn, { text, isCounter, isDue, now });
    this.read = () => this.say(text, drawn);
    if (isArranged || (isWhole && this.isResting) || now - this.saidAt >= READABLE) {
      this.read();
      this.saidAt = now;
    }
    for (const column of this.entering.splice(0)) column.enter();
    if (this.resting) clearTimeout(this.resting);
    this.resting = isWhole && !this.isResting ? setTimeout(() => this.rest(), RESTING) : 0;
    if (!isWhole) this.move(now);
  }

  /**
   * How fast a counter goes, from what it reads: its wheels may have gone round between two frames.
   * @param {Part[]} parts
   * @param {number} now in milliseconds
   * @returns {boolean} whether that was measured anew
   */
  measure(parts, now) {
    const passed = now - this.readAt;
    if (passed < MEASURED) return false;
    // What enters stands on a digit that the number doesn't have yet.
    const wheels = parts.filter(isWheel).filter((part) => presenceOf(part) === 1);
    const [least, last] = wheels.at(-1) ?? [0, 0];
    this.least = least;
    const reading = wheels.reduce(
      (sum, [place, at]) => sum + Math.floor(at) * 10 ** place, (last % 1) * 10 ** least,
    );
    this.speed = (Math.abs(reading - this.reading) / passed) * 1000 || 0;
    this.reading = reading;
    this.readAt = now;
    return true;
  }

  /** Has a number that stands on whole digits rest at once; one held between them is sharp. */
  settle() {
    if (this.resting) this.rest();
    else this.sharpen();
  }

  sharpen() {
    for (const column of this.shown) if (column instanceof WheelColumn) column.sharpen();
  }

  rest() {
    clearTimeout(this.resting);
    this.resting = 0;
    this.isResting = true;
    this.element.classList.remove("turning");
    this.sharpen();
    this.read();
    this.room.release();
  }

  /** @param {number} now in milliseconds */
  move(now) {
    if (!this.isResting) return;
    this.isResting = false;
    this.saidAt = now - (this.phase * READABLE) / 10;
    this.element.classList.add("turning");
    this.room.hold();
  }

  /**
   * @param {Part[]} parts
   * @param {{ text: string, isCounter: boolean, isDue: boolean, now: number }} frame `isDue` where a
   *   blur is drawn, too
   */
  draw(parts, { text, isCounter, isDue, now }) {
    const digits = this.isStepping && isCounter ? this.digitsOf(text, parts) : [];
    for (let index = parts.length - 1; index >= 0; index--) {
      const part = parts[index];
      const column = this.shown[index];
      if (column instanceof TextColumn) {
        column.write(textOf(part), index > this.last);
        column.appear(this.isStepping ? 1 : presenceOf(part));
      } else if (isWheel(part)) {
        const [place, position, presence = 1] = part;
        const speed = isCounter ? this.speed / 10 ** place : column.measure(position, now);
        // The last wheel of a counter takes those before it along.
        const rate = isCounter ? this.speed / 10 ** this.least : speed;
        const digit = digits.pop() ?? Math.round(position) % 10;
        column.standOn(this.isStepping ? digit : undefined, rate);
        if (isDue || !column.isFast) column.turn(position, this.isStepping ? 1 : presence, speed);
      }
    }
  }

  /**
   * The digits that a text has where wheels are, from left to right: fewer than there are wheels while
   * one enters or leaves.
   * @param {string} text
   * @param {Part[]} parts
   */
  digitsOf(text, parts) {
    /** @param {string} part */
    const digitsIn = (part) =>
      [...part].map((face) => this.faces.indexOf(face)).filter((digit) => digit >= 0);
    /** @param {Part[]} some */
    const count = (some) => digitsIn(some.map(textOf).join("")).length;
    const before = count(parts.slice(0, parts.findIndex(isWheel)));
    const behind = count(parts.slice(parts.findLastIndex(isWheel) + 1));
    const all = digitsIn(text);
    return all.slice(before, all.length - behind);
  }

  /**
   * Parts as they stand: there is what is in the text.
   * @param {string} text
   * @param {Part[]} parts
   * @param {boolean} isCounter
   */
  standing(text, parts, isCounter) {
    if (parts.every((part) => presenceOf(part) === 1)) return parts;
    // All that enters or leaves a counter does so with its first digit.
    const isThere = this.digitsOf(text, parts).length >= parts.filter(isWheel).length ? 0 : 1;
    return parts.filter((part) => presenceOf(part) >= (isCounter ? isThere : 0.5));
  }

  /**
   * Has the columns say the text.
   * @param {string} text
   * @param {Part[]} parts
   */
  say(text, parts) {
    const digits = this.digitsOf(text, parts);
    for (let index = this.last; index >= this.first; index--) {
      const column = this.shown[index];
      if (column instanceof TextColumn) column.read(digits.length > 0);
      else column.read(digits.pop(), this.isResting);
    }
  }

  /**
   * Puts the columns in order; those that are wanted no more leave where they stand.
   * @param {Part[]} parts
   */
  arrange(parts) {
    const isNew = !this.columns.size;
    this.first = parts.findIndex(isWheel);
    this.last = parts.findLastIndex(isWheel);
    const keys = parts.map((_, index) => this.keyOf(parts, index));
    const wanted = new Set(keys);
    for (const [key, column] of this.columns) if (!wanted.has(key)) this.drop(key, column);
    for (let index = parts.length - 1; index >= 0; index--) {
      const known = this.columns.get(keys[index]);
      const column = known ?? this.columnFor(parts, index);
      if (!isNew && (!known || column.leaving)) this.entering.push(column);
      // What left is in no text.
      if (column.leaving && column instanceof TextColumn) column.read(true);
      this.columns.set(keys[index], column);
      this.shown[index] = column;
      if (column instanceof WheelColumn) {
        const behind = index === this.last ? textOf(parts[index + 1] ?? "") : "";
        column.turnInward(index === this.first, index === this.last, behind);
      }
    }
    this.line();
    this.shown.length = parts.length;
  }

  /** Has columns stand in their order, those that leave among the others: a sign comes before all
   *  digits, also before one on its way out, which may come back. */
  line() {
    /** @type {Node | null} */
    let next = null;
    for (const [, { element }] of [...this.columns].sort(([a], [b]) => b - a)) {
      if (element.nextSibling !== next || !element.parentNode) this.element.insertBefore(element, next);
      next = element;
    }
  }

  /** @param {string} script its digits, from zero */
  begin(script) {
    this.clear();
    this.script = script;
    const faces = (this.faces = [...script]);
    this.element.style.setProperty("--faces", `"${[...faces, faces[0]].join("\\a ")}"`);
  }

  /**
   * What stays the same column while others come and go: of wheels their place, of texts the side they
   * are on, counted from the outside, or the wheel that follows. Columns stand in the order of these.
   * @param {Part[]} parts
   * @param {number} index
   */
  keyOf(parts, index) {
    if (index < this.first) return index - MOST_COLUMNS;
    if (index > this.last) return MOST_COLUMNS + index - parts.length;
    const [place] = parts[index];
    return isWheel(parts[index]) ? -place : -parts[index + 1][0] - 0.5;
  }

  /**
   * @param {Part[]} parts
   * @param {number} index
   */
  columnFor(parts, index) {
    if (isWheel(parts[index])) return new WheelColumn(this.faces);
    return new TextColumn(index > this.first && index < this.last ? "separator" : "affix");
  }

  /**
   * @param {number} key
   * @param {TextColumn | WheelColumn} column
   */
  drop(key, column) {
    column.leave(() => {
      column.element.remove();
      if (this.columns.get(key) === column) this.columns.delete(key);
    });
  }
}
