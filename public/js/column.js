// The columns of a number that is shown with wheels: each a text, or a digit with a strip of all
// ten over it.
import { make } from "./element.js";

/** What comes or goes all at once is given this long, in milliseconds. */
export const PASSING = 150;

/** Digits a second from which a wheel is a blur, and below which it is one no more. */
const BLURRED = 30;
const SHARP = 20;

const ROWS = 11;

/** Whether the reader prefers that nothing moves. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** What takes up its room, and may be there in part while it enters or leaves. */
export class Column {
  /** How far it is there, from 0 to 1. */
  presence = 1;

  /** @type {Animation | null} */
  leaving = null;

  /** Its width in em where it has been measured, which holds for any size of the font.
   *  @type {number | undefined} */
  width;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /** @returns {number} its width in em, now */
  measure() {
    const size = parseFloat(getComputedStyle(this.element).fontSize);
    return this.element.getBoundingClientRect().width / size || 0;
  }

  /**
   * The style of one that is there in part: its left is cut off, and what stands there moves up.
   * @param {number} presence
   */
  partial(presence) {
    if (presence === 1) return { marginLeft: "0", opacity: "1", clipPath: "inset(-1em)" };
    this.width ||= this.measure();
    const cut = 1 - presence;
    return {
      marginLeft: `${-cut * this.width}em`,
      opacity: `${presence}`,
      clipPath: `inset(-1em -1em -1em ${cut * 100}%)`,
    };
  }

  /** @param {number} presence */
  appear(presence) {
    if (presence === this.presence) return;
    const whole = { marginLeft: "", opacity: "", clipPath: "" };
    Object.assign(this.element.style, presence < 1 ? this.partial(presence) : whole);
    this.presence = presence;
  }

  /**
   * Has the text of the page say it, or not: what only enters, or leaves, isn't in the number.
   * @param {string} text
   * @param {boolean} isSaid
   * @param {HTMLElement} element
   */
  say(text, isSaid, element) {
    const said = isSaid ? text : "";
    if (element.textContent !== said) element.textContent = said;
    element.classList.toggle("absent", !isSaid);
    if (isSaid) delete element.dataset.text;
    else element.dataset.text = text;
  }

  enter() {
    if (this.leaving) this.leaving.cancel();
    else if (this.presence === 1) this.pass(0, 1);
    this.leaving = null;
  }

  /**
   * @param {() => void} gone called when it has left
   */
  leave(gone) {
    if (this.leaving) return;
    this.hush();
    this.leaving = this.pass(this.presence, 0);
    if (this.leaving) this.leaving.onfinish = gone;
    else gone();
  }

  /**
   * Makes or gives up its room in a little while; at once for readers who prefer reduced motion.
   * @param {number} from
   * @param {number} to
   * @returns {Animation | null}
   */
  pass(from, to) {
    if (still.matches) return null;
    const steps = [this.partial(from), this.partial(to)];
    return this.element.animate(steps, { duration: PASSING, fill: to ? "none" : "forwards" });
  }
}

/** An affix or a separator. */
export class TextColumn extends Column {
  /** @param {string} place `affix` or `separator` */
  constructor(place) {
    super(make("span", { part: place }));
    // A separator is of the number, in whose order it stands whatever the text's direction.
    if (place === "separator") this.element.className = "inner";
  }

  /**
   * A text that changes makes its room little by little, at the side where no digits stand.
   * @param {string} text
   * @param {boolean} isAfter whether that is behind it
   */
  write(text, isAfter) {
    if (text === this.text) return;
    const before = this.text !== undefined && !still.matches ? this.measure() : undefined;
    this.text = text;
    this.width = undefined;
    this.say(text, true, this.element);
    if (before === undefined) return;
    const side = isAfter ? "marginRight" : "marginLeft";
    this.element.animate([{ [side]: `${before - this.measure()}em` }, { [side]: "0" }], PASSING);
  }

  /** @param {boolean} isSaid whether it is in the text */
  read(isSaid) {
    this.say(this.text ?? "", isSaid, this.element);
  }

  hush() {
    this.read(false);
  }
}

/** A digit of the text, and over it, while it moves, a window on a strip of its script's digits. */
export class WheelColumn extends Column {
  isFast = false;
  isRolling = false;
  position = 0;
  drawn = NaN;

  /** @type {Animation | null} */
  passing = null;

  /** The digit that stands in the text.
   *  @type {number | undefined} */
  digitSaid;

  /** @param {string[]} faces its script's digits, from zero */
  constructor(faces) {
    const digit = make("span", { class: "digit" });
    const strip = make("span", { class: "strip" });
    const inner = make("span", { class: "inner" }, make("span", { class: "window", inert: "" }, strip));
    super(make("span", { class: "wheel", part: "digit" }, digit, inner));
    Object.assign(this, { digit, strip, inner, faces });
  }

  /**
   * A browser takes what lies over a text for a character without a direction. Embedded it parts no
   * number; next to what a number is bound to, as a percent sign is, it must not stand.
   * @param {boolean} isFirst
   * @param {boolean} isLast
   * @param {string} next the text behind it
   */
  turnInward(isFirst, isLast, next) {
    const isBound = !isFirst || /^[\p{Sc}%‰٪°]/u.test(next);
    const goesBefore = isLast && isBound;
    const isBefore = this.inner.nextSibling !== null;
    if (goesBefore !== isBefore) this.element[goesBefore ? "prepend" : "append"](this.inner);
  }

  /**
   * Shows where the wheel stands: what enters or leaves rolls in, or out, by as much.
   * @param {number} position in digits, 0 ≤ position < 10
   * @param {number} presence
   * @param {number} speed in digits a second
   */
  turn(position, presence, speed) {
    const isFast = speed > (this.isFast ? SHARP : BLURRED);
    if (isFast !== this.isFast) this.element.classList.toggle("fast", (this.isFast = isFast));
    this.position = position;
    if (this.digitSaid === undefined) this.read(undefined);
    this.appear(presence);
    this.draw();
  }

  sharpen() {
    this.isFast = false;
    this.element.classList.remove("fast");
    this.draw(true);
  }

  /**
   * Opens the window where the text has another digit, and closes it only when the text is brought
   * up to date.
   */
  draw(isRead = false) {
    const { position, presence } = this;
    const place = this.isFast ? Math.floor(position) : (position + presence + 9) % 10;
    const wasRolling = this.isRolling && !isRead;
    const isRolling = wasRolling || place !== this.digitSaid || this.isFast || this.passing !== null;
    if (isRolling && place !== this.drawn) {
      this.strip.style.transform = `translateY(${(place * -100) / ROWS}%)`;
      this.drawn = place;
    }
    if (isRolling !== this.isRolling) this.element.classList.toggle("rolling", isRolling);
    this.isRolling = isRolling;
  }

  /**
   * Brings the text up to date.
   * @param {string | undefined} face the digit that it has here; undefined where it has none
   */
  read(face) {
    const standing = this.faces[Math.floor(this.position)];
    this.say(face ?? standing, face !== undefined, this.digit);
    this.digitSaid = this.faces.indexOf(face ?? standing);
    this.draw(true);
  }

  hush() {
    this.read(undefined);
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  pass(from, to) {
    const passing = super.pass(from, to);
    if (!passing) return null;
    const steps = [from, to].map((presence) => ({ translate: `0 ${(1 - presence) * (100 / ROWS)}%` }));
    this.strip.animate(steps, { duration: PASSING, fill: to ? "none" : "forwards" });
    this.passing = passing;
    passing.finished.then(
      () => this.settle(passing),
      () => this.settle(passing),
    );
    this.draw();
    return passing;
  }

  /** @param {Animation} passing */
  settle(passing) {
    if (passing !== this.passing) return;
    this.passing = null;
    for (const animation of this.strip.getAnimations()) animation.cancel();
    this.draw(true);
  }
}
