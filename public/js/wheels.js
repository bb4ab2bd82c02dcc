// A number's own text, with wheels over the digits that move. What is read, found, selected and
// copied is the text; wheels only cover it.
import { still, TextColumn, WheelColumn } from "./column.js";
import { Room } from "./room.js";

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

/** Speeds are measured over at least this long, in milliseconds. */
const MEASURED = 50;

/** @type {(part: Part) => part is [number, number] | [number, number, number]} */
const isWheel = (part) => typeof part[0] === "number";

/** @param {Part} part */
const textOf = (part) => (typeof part === "string" ? part : `${part[0]}`);

/** @param {Part} part */
const presenceOf = (part) => (typeof part === "string" ? 1 : (part[isWheel(part) ? 2 : 1] ?? 1));

/** @param {Part} part */
const rests = (part) => presenceOf(part) === 1 && !(isWheel(part) && part[1] % 1 !== 0);

/** How many numbers there are: what each does now and then they do one after the other. */
let count = 0;

/** A number in an element: its parts, as columns. */
export class Wheels {
  /** @type {Map<string | number, TextColumn | WheelColumn>} */
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

  shape = "";
  phase = count++ % 10;
  saidAt = 0;
  resting = 0;

  /** What the wheels read, since when, and how fast that goes, in units a second. */
  reading = NaN;
  readAt = 0;
  speed = 0;

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
   */
  write(text) {
    if (this.shape) this.clear();
    if (this.element.textContent !== text) this.element.textContent = text;
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
    const shape = digits + parts.map((part) => (isWheel(part) ? part[0] : "")).join();
    const isArranged = shape !== this.shape;
    if (isArranged) this.arrange(parts, [...digits]);
    this.shape = shape;
    const isWhole = parts.every(rests);
    const isDue = (isCounter && this.measure(parts, now)) || isWhole || isArranged;
    parts.forEach((part, index) => this.draw(part, index, isDue));
    this.read = () => this.say(text, parts);
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
    const wheels = parts.filter(isWheel);
    const reading = wheels.reduce((sum, [place, at]) => sum + Math.floor(at) * 10 ** place, 0);
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
   * @param {Part} part
   * @param {number} index
   * @param {boolean} isDue whether a blur is drawn, too
   */
  draw(part, index, isDue) {
    const column = this.shown[index];
    if (column instanceof TextColumn) {
      column.write(textOf(part), index > this.last);
      column.appear(presenceOf(part));
    } else if (isWheel(part) && (isDue || !column.isFast)) {
      column.turn(part[1], presenceOf(part), this.speed / 10 ** part[0]);
    }
  }

  /**
   * Has the columns say the text: digits from its right, since more wheels than it has digits are
   * there while one enters or leaves.
   * @param {string} text
   * @param {Part[]} parts
   */
  say(text, parts) {
    /** @param {string} part */
    const digitsOf = (part) => [...part].filter((face) => this.faces.includes(face));
    const before = digitsOf(parts.slice(0, this.first).map(textOf).join("")).length;
    const behind = digitsOf(parts.slice(this.last + 1).map(textOf).join("")).length;
    const all = digitsOf(text);
    const digits = all.slice(before, all.length - behind);
    for (let index = this.last; index >= this.first; index--) {
      const column = this.shown[index];
      if (column instanceof TextColumn) column.read(digits.length > 0);
      else column.read(digits.pop(), this.isResting);
    }
  }

  /**
   * Puts the columns in order; those that are wanted no more leave where they stand.
   * @param {Part[]} parts
   * @param {string[]} faces
   */
  arrange(parts, faces) {
    if (faces.join() !== this.faces.join() || !this.shape) this.begin(faces);
    const isNew = !this.columns.size;
    this.first = parts.findIndex(isWheel);
    this.last = parts.findLastIndex(isWheel);
    const keys = parts.map((_, index) => this.keyOf(parts, index));
    const wanted = new Set(keys);
    for (const [key, column] of this.columns) if (!wanted.has(key)) this.drop(key, column);
    /** @type {Node | null} */
    let next = null;
    for (let index = parts.length - 1; index >= 0; index--) {
      const known = this.columns.get(keys[index]);
      const column = known ?? this.columnFor(parts, index);
      if (!isNew && (!known || column.leaving)) this.entering.push(column);
      this.columns.set(keys[index], column);
      this.shown[index] = column;
      if (!known) this.element.insertBefore(column.element, next);
      if (column instanceof WheelColumn) {
        const behind = index === this.last ? textOf(parts[index + 1] ?? "") : "";
        column.turnInward(index === this.first, index === this.last, behind);
      }
      next = column.element;
    }
    this.shown.length = parts.length;
  }

  /** @param {string[]} faces */
  begin(faces) {
    this.clear();
    this.faces = faces;
    this.element.style.setProperty("--faces", `"${[...faces, faces[0]].join("\\a ")}"`);
  }

  /**
   * What stays the same column while others come and go: a place, and of texts the side they are
   * on, counted from the outside, or the wheel that follows.
   * @param {Part[]} parts
   * @param {number} index
   */
  keyOf(parts, index) {
    const part = parts[index];
    if (isWheel(part)) return part[0];
    if (index < this.first) return `before ${index}`;
    return index > this.last ? `after ${parts.length - index}` : `at ${parts[index + 1][0]}`;
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
   * @param {string | number} key
   * @param {TextColumn | WheelColumn} column
   */
  drop(key, column) {
    column.leave(() => {
      column.element.remove();
      if (this.columns.get(key) === column) this.columns.delete(key);
    });
  }
}
