// The columns of a number with wheels: each a text, or a digit with a strip of all ten over it.

/** What comes or goes all at once is given this long, in milliseconds. */
export const PASSING = 150;

/** Characters of an affix beyond which it has words, which may give way to the number. */
const LONGEST_SIGN = 10;

/** Digits a second from which a wheel is a blur, and below which it is none any more. */
const BLURRED = 30;
const SHARP = 20;

/** What positions are told to, in digits: who turns no more than that in a turn would stop half-way. */
const TOLD = 0.001;

/** A row of a strip in percent of it: ten digits, and the first once more. */
const ROW = 100 / 11;

/** Speeds are measured over at least this long, in milliseconds. */
export const MEASURED = 50;

/** Whether the reader prefers that nothing moves. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @param {string} className
 * @param {Node[]} children
 */
function span(className, ...children) {
  const element = document.createElement("span");
  element.className = className;
  element.append(...children);
  return element;
}

/**
 * Where a wheel that stands on digits is shown: it turns from one to the next in a moment, just when
 * the text takes the next.
 * @param {number} position
 * @param {number} rate in digits a second
 * @param {number} digit the one that the text has
 */
function standing(position, rate, digit) {
  const way = (rate * PASSING) / 1000;
  // It turns all the time.
  if (way >= 1) return position;
  const whole = Math.floor(position);
  const rest = position - whole;
  const nearest = (whole + (rest < 0.5 ? 0 : 1)) % 10;
  // Not all numbers are rounded at the half.
  if (nearest !== digit || way < TOLD) return digit;
  return (whole + Math.min(1, Math.max(0, (rest - 0.5) / way + 0.5))) % 10;
}

/**
 * Cuts the other rows off: what enters doesn't come behind another digit.
 * @param {number} row
 */
const rowAlone = (row) => `inset(${row * ROW}% 0 ${(10 - row) * ROW}%)`;

/**
 * Has an element say a text; what only enters, or leaves, has its room and is in no text.
 * @param {HTMLElement} element
 * @param {string} text
 * @param {boolean} isSaid
 */
function say(element, text, isSaid) {
  const said = isSaid ? text : "";
  if (element.textContent !== said) element.textContent = said;
  element.classList.toggle("absent", !isSaid);
  if (!isSaid) element.dataset.text = text;
}

/** The width of an element in em, which holds for any size of its font.
 *  @param {HTMLElement} element */
export const widthOf = (element) =>
  element.getBoundingClientRect().width / parseFloat(getComputedStyle(element).fontSize) || 0;

/** What takes up its room, and may be there in part. */
class Column {
  /** How far it is there, from 0 to 1. */
  presence = 1;

  /** Where it has been measured, in em. */
  width = 0;

  /** @type {Animation | null} */
  leaving = null;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * The style of one that is there in part: its left is cut off, and what stands there moves up.
   * @param {number} presence
   */
  partial(presence) {
    if (presence < 1) this.width ||= widthOf(this.element);
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

  enter() {
    if (this.leaving) this.leaving.cancel();
    else if (this.presence === 1) this.pass(0, 1);
    this.leaving = null;
  }

  /** @param {() => void} gone called when it has left */
  leave(gone) {
    if (this.leaving) return;
    this.leaving = this.pass(this.presence, 0);
    if (this.leaving) this.leaving.onfinish = gone;
    else gone();
  }

  /**
   * Makes its room, or gives it up, in a little while; at once for readers who prefer that.
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
  /** @type {string | undefined} */
  text;

  /** @param {"affix" | "separator"} place */
  constructor(place) {
    // A separator keeps the order of the number, whatever the direction of the text.
    super(span(place === "separator" ? "inner" : ""));
    this.element.setAttribute("part", place);
  }

  /**
   * A text that changes makes its room little by little, at the side where no digits stand.
   * @param {string} text
   * @param {boolean} isAfter whether that is behind it
   */
  write(text, isAfter) {
    if (text === this.text) return;
    const isGliding = this.text !== undefined && !still.matches;
    const before = isGliding ? widthOf(this.element) : 0;
    this.text = text;
    this.element.part.toggle("words", text.length > LONGEST_SIGN);
    this.width = 0;
    this.read(true);
    if (!isGliding) return;
    const side = isAfter ? "marginRight" : "marginLeft";
    const steps = [{ [side]: `${before - widthOf(this.element)}em` }, { [side]: "0" }];
    this.element.animate(steps, PASSING);
  }

  /** @param {boolean} isSaid whether it is in the text */
  read(isSaid) {
    say(this.element, this.text ?? "", isSaid);
  }

  /** @param {() => void} gone called when it has left */
  leave(gone) {
    this.read(false);
    super.leave(gone);
  }
}

/** A digit of the text, and over it, while it moves, a window on a strip of its script's digits. */
export class WheelColumn extends Column {
  digit = span("digit");
  strip = span("strip");
  window = span("window", this.strip);
  inner = span("inner", this.window);
  position = 0;
  isFast = false;
  isRolling = false;
  hasMoved = false;

  /** The digit that it stands on; without one it stands where the number is.
   *  @type {number | undefined} */
  digitShown;

  /** Digits a second at which it turns from one to the next. */
  rate = 0;

  /** Where it was when its speed was measured.
   *  @type {[position: number, time: number]} */
  measured = [NaN, 0];
  speed = 0;

  /** The digit that the text has. */
  digitSaid = NaN;

  /** What the strip shows: its place, and the row that it shows alone, or -1. */
  place = NaN;
  row = -1;

  /** @type {Animation | null} */
  passing = null;

  /** @param {string[]} faces its script's digits, from zero */
  constructor(faces) {
    super(span("wheel"));
    this.faces = faces;
    this.window.inert = true;
    this.element.setAttribute("part", "digit");
    this.element.append(this.digit, this.inner);
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
    if (Number.isNaN(this.digitSaid)) this.read(undefined, false);
    this.appear(presence);
    this.draw();
  }

  /**
   * Has it stand on a digit as long as it isn't too fast for that; without one where the number is.
   * @param {number | undefined} digit
   * @param {number} rate at which it turns from one to the next, in digits a second
   */
  standOn(digit, rate) {
    this.digitShown = digit;
    this.rate = rate;
  }

  /**
   * How fast it turns, of itself: in digits a second, the shorter way between two frames.
   * @param {number} position
   * @param {number} now in milliseconds
   */
  measure(position, now) {
    const [before, then] = this.measured;
    const passed = now - then;
    if (passed < MEASURED) return this.speed;
    this.measured = [position, now];
    this.speed = (Math.abs(((position - before + 15) % 10) - 5) / passed) * 1000 || 0;
    return this.speed;
  }

  /** Shows what was a blur. */
  sharpen() {
    if (!this.isFast) return;
    this.isFast = false;
    this.element.classList.remove("fast");
    this.draw(true);
  }

  get placeNow() {
    const { position, presence, digitShown } = this;
    if (this.isFast) return Math.floor(position);
    if (digitShown !== undefined) return standing(position, this.rate, digitShown);
    return (position + presence + 9) % 10;
  }

  /** Opens the window where the text has another digit, and closes it only if it may be. */
  draw(mayClose = false) {
    const place = this.placeNow;
    const row = this.presence < 1 || this.passing ? Math.ceil(place) : -1;
    const wasRolling = this.isRolling && !mayClose;
    const isMoving = place !== this.digitSaid || this.isFast || this.passing !== null;
    const isRolling = wasRolling || isMoving;
    const { style } = this.strip;
    if (isRolling && place !== this.place) {
      style.transform = `translateY(${-place * ROW}%)`;
      this.place = place;
      this.hasMoved = true;
    }
    if (row !== this.row) style.clipPath = row < 0 ? "" : rowAlone(row);
    this.row = row;
    if (isRolling !== this.isRolling) this.element.classList.toggle("rolling", isRolling);
    this.isRolling = isRolling;
  }

  /**
   * Brings the text up to date. The window of a wheel that moves stays open: it only passes by.
   * @param {number | undefined} digit what it has here; undefined where it has none
   * @param {boolean} isResting
   */
  read(digit, isResting) {
    this.digitSaid = digit ?? this.digitShown ?? Math.floor(this.position);
    say(this.digit, this.faces[this.digitSaid], digit !== undefined);
    this.draw(isResting || !this.hasMoved);
    this.hasMoved = false;
  }

  /** @param {() => void} gone called when it has left */
  leave(gone) {
    this.read(undefined, false);
    super.leave(gone);
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  pass(from, to) {
    const passing = super.pass(from, to);
    if (!passing) return null;
    const steps = [from, to].map((presence) => ({ translate: `0 ${(1 - presence) * ROW}%` }));
    const fill = to ? "none" : "forwards";
    const rolling = this.strip.animate(steps, { duration: PASSING, fill });
    this.passing = passing;
    this.draw();
    const end = () => {
      rolling.cancel();
      if (this.passing === passing) this.passing = null;
      this.draw(true);
    };
    passing.finished.then(end, end);
    return passing;
  }
}
