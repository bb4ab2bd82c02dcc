// The columns of a number with wheels: each is a text, or a digit with a strip of all ten digits over it.

/** Milliseconds in which something enters or leaves. */
export const TRANSITION = 150;

/** The most characters of an affix that counts as a sign; a longer one has words, which may be cut off. */
const MAX_SIGN = 10;

/** Digits a second from which a wheel is a blur, and below which it is sharp again. */
const BLUR_SPEED = 30;
const SHARP_SPEED = 20;

/** The precision of positions in digits; a wheel whose turn is no longer than this could stop half-way. */
const POSITION_STEP = 0.001;

/** The height of a strip's row in percent: ten digits, and the first one again. */
const ROW_PERCENT = 100 / 11;

/** The shortest time over which a speed is measured, in milliseconds. */
export const MEASURE_INTERVAL = 50;

/** Whether the reader prefers reduced motion. */
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

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
 * The position of a wheel that stands on digits: it turns to the next one quickly, just when the text does.
 * @param {number} position
 * @param {number} rate in digits a second
 * @param {number} digit the one in the text
 */
function steppedPosition(position, rate, digit) {
  const way = (rate * TRANSITION) / 1000;
  // The wheel turns all the time.
  if (way >= 1) return position;
  const whole = Math.floor(position);
  const rest = position - whole;
  const nearest = (whole + (rest < 0.5 ? 0 : 1)) % 10;
  // A number may round otherwise than at the half.
  if (nearest !== digit || way < POSITION_STEP) return digit;
  return (whole + Math.min(1, Math.max(0, (rest - 0.5) / way + 0.5))) % 10;
}

/**
 * Clips the other rows, so that no second digit shows while one enters.
 * @param {number} row
 */
const clipToRow = (row) => `inset(${row * ROW_PERCENT}% 0 ${(10 - row) * ROW_PERCENT}%)`;

/**
 * Sets an element's text. A part that is entering or leaving has its width, but isn't in the text.
 * @param {HTMLElement} element
 * @param {string} text
 * @param {boolean} isInText
 */
function setText(element, text, isInText) {
  const shown = isInText ? text : "";
  if (element.textContent !== shown) element.textContent = shown;
  element.classList.toggle("absent", !isInText);
  if (!isInText) element.dataset.text = text;
}

/** An element's width in em, which is valid for any font size.
 *  @param {HTMLElement} element */
export const widthInEm = (element) =>
  element.getBoundingClientRect().width / parseFloat(getComputedStyle(element).fontSize) || 0;

/** A part of a number, which may be partly present while it enters or leaves. */
class Column {
  /** How far the part is present, from 0 to 1. */
  presence = 1;

  /** Its measured width, in em. */
  width = 0;

  /** @type {Animation | null} */
  leaving = null;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * The style of a part that is partly present: clipped on its left, and moved over by as much.
   * @param {number} presence
   */
  #partial(presence) {
    if (presence < 1) this.width ||= widthInEm(this.element);
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
    Object.assign(this.element.style, presence < 1 ? this.#partial(presence) : whole);
    this.presence = presence;
  }

  enter() {
    if (this.leaving) this.leaving.cancel();
    else if (this.presence === 1) this.animatePresence(0, 1);
    this.leaving = null;
  }

  /** @param {() => void} gone called when the part has left */
  leave(gone) {
    if (this.leaving) return;
    this.leaving = this.animatePresence(this.presence, 0);
    if (this.leaving) this.leaving.onfinish = gone;
    else gone();
  }

  /**
   * Animates the part's width as it enters or leaves; not with reduced motion.
   * @param {number} from
   * @param {number} to
   * @returns {Animation | null}
   */
  animatePresence(from, to) {
    if (reducedMotion.matches) return null;
    const steps = [this.#partial(from), this.#partial(to)];
    return this.element.animate(steps, { duration: TRANSITION, fill: to ? "none" : "forwards" });
  }
}

/** An affix or a separator. */
export class TextColumn extends Column {
  /** @type {string | undefined} */
  #text;

  /** @param {"affix" | "separator"} place */
  constructor(place) {
    // A separator keeps its place in the number, whatever the direction of the text.
    super(span(place === "separator" ? "inner" : ""));
    this.element.setAttribute("part", place);
  }

  /**
   * Changes the text; its width is animated on the side away from the digits.
   * @param {string} text
   * @param {boolean} isAfter whether that side is after it
   */
  write(text, isAfter) {
    if (text === this.#text) return;
    const isGliding = this.#text !== undefined && !reducedMotion.matches;
    const before = isGliding ? widthInEm(this.element) : 0;
    this.#text = text;
    this.element.part.toggle("words", text.length > MAX_SIGN);
    this.width = 0;
    this.read(true);
    if (!isGliding) return;
    const side = isAfter ? "marginRight" : "marginLeft";
    const steps = [{ [side]: `${before - widthInEm(this.element)}em` }, { [side]: "0" }];
    this.element.animate(steps, TRANSITION);
  }

  /** @param {boolean} isInText whether it is part of the text */
  read(isInText) {
    setText(this.element, this.#text ?? "", isInText);
  }

  /** @param {() => void} gone called when the part has left */
  leave(gone) {
    this.read(false);
    super.leave(gone);
  }
}

/** A digit of the text and, while it moves, a window over it onto a strip of the script's digits. */
export class WheelColumn extends Column {
  #digit = span("digit");
  #strip = span("strip");
  #window = span("window", this.#strip);
  #inner = span("inner", this.#window);
  #position = 0;
  isFast = false;
  #isRolling = false;
  #hasMoved = false;

  /** The digit that the wheel stands on; undefined if it follows the number continuously.
   *  @type {number | undefined} */
  #digitShown;

  /** The speed at which it turns to the next digit, in digits a second. */
  #rate = 0;

  /** The position and time of the last measurement.
   *  @type {[position: number, time: number]} */
  #measured = [NaN, 0];
  #speed = 0;

  /** The digit in the text. */
  #digitInText = NaN;

  /** The strip's position, and the only row that shows, or -1. */
  #place = NaN;
  #row = -1;

  /** @type {Animation | null} */
  #passing = null;

  #faces;

  /** @param {string[]} faces the script's digits, from zero */
  constructor(faces) {
    super(span("wheel"));
    this.#faces = faces;
    this.#window.inert = true;
    this.element.setAttribute("part", "digit");
    this.element.append(this.#digit, this.#inner);
  }

  /**
   * Bidirectional layout treats the window as a neutral character. Embedded it doesn't split the number, but it must
   * not stand next to a sign that belongs to the number, such as a percent sign.
   * @param {boolean} isFirst
   * @param {boolean} isLast
   * @param {string} next the text after it
   */
  placeWindow(isFirst, isLast, next) {
    const isBound = !isFirst || /^[\p{Sc}%‰٪°]/u.test(next);
    const goesBefore = isLast && isBound;
    const isBefore = this.#inner.nextSibling !== null;
    if (goesBefore !== isBefore) this.element[goesBefore ? "prepend" : "append"](this.#inner);
  }

  /**
   * Turns the wheel to a position; a part that enters or leaves rolls in or out.
   * @param {number} position in digits, 0 ≤ position < 10
   * @param {number} presence
   * @param {number} speed in digits a second
   */
  turn(position, presence, speed) {
    const isFast = speed > (this.isFast ? SHARP_SPEED : BLUR_SPEED);
    if (isFast !== this.isFast) this.element.classList.toggle("fast", (this.isFast = isFast));
    this.#position = position;
    if (Number.isNaN(this.#digitInText)) this.read(undefined, false);
    this.appear(presence);
    this.#draw();
  }

  /**
   * Makes the wheel stand on a digit unless it is too fast; undefined lets it follow the number.
   * @param {number | undefined} digit
   * @param {number} rate the speed at which it turns to the next one, in digits a second
   */
  standOn(digit, rate) {
    this.#digitShown = digit;
    this.#rate = rate;
  }

  /**
   * Measures the wheel's speed in digits a second, along the shorter way between two frames.
   * @param {number} position
   * @param {number} now in milliseconds
   */
  measure(position, now) {
    const [before, then] = this.#measured;
    const passed = now - then;
    if (passed < MEASURE_INTERVAL) return this.#speed;
    this.#measured = [position, now];
    this.#speed = (Math.abs(((position - before + 15) % 10) - 5) / passed) * 1000 || 0;
    return this.#speed;
  }

  /** Ends a blur. */
  sharpen() {
    if (!this.isFast) return;
    this.isFast = false;
    this.element.classList.remove("fast");
    this.#draw(true);
  }

  get #placeNow() {
    const position = this.#position;
    if (this.isFast) return Math.floor(position);
    if (this.#digitShown !== undefined) return steppedPosition(position, this.#rate, this.#digitShown);
    return (position + this.presence + 9) % 10;
  }

  /** Opens the window where the text has another digit; closes it only if allowed. */
  #draw(mayClose = false) {
    const place = this.#placeNow;
    const row = this.presence < 1 || this.#passing ? Math.ceil(place) : -1;
    const wasRolling = this.#isRolling && !mayClose;
    const isMoving = place !== this.#digitInText || this.isFast || this.#passing !== null;
    const isRolling = wasRolling || isMoving;
    const { style } = this.#strip;
    if (isRolling && place !== this.#place) {
      style.transform = `translateY(${-place * ROW_PERCENT}%)`;
      this.#place = place;
      this.#hasMoved = true;
    }
    if (row !== this.#row) style.clipPath = row < 0 ? "" : clipToRow(row);
    this.#row = row;
    if (isRolling !== this.#isRolling) this.element.classList.toggle("rolling", isRolling);
    this.#isRolling = isRolling;
  }

  /**
   * Updates the text. The window of a moving wheel stays open even if its digit matches at the moment.
   * @param {number | undefined} digit the text's digit here; undefined if it has none
   * @param {boolean} isResting
   */
  read(digit, isResting) {
    this.#digitInText = digit ?? this.#digitShown ?? Math.floor(this.#position);
    setText(this.#digit, this.#faces[this.#digitInText], digit !== undefined);
    this.#draw(isResting || !this.#hasMoved);
    this.#hasMoved = false;
  }

  /** @param {() => void} gone called when the part has left */
  leave(gone) {
    this.read(undefined, false);
    super.leave(gone);
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  animatePresence(from, to) {
    const passing = super.animatePresence(from, to);
    if (!passing) return null;
    const steps = [from, to].map((presence) => ({ translate: `0 ${(1 - presence) * ROW_PERCENT}%` }));
    const fill = to ? "none" : "forwards";
    const rolling = this.#strip.animate(steps, { duration: TRANSITION, fill });
    this.#passing = passing;
    this.#draw();
    const end = () => {
      rolling.cancel();
      if (this.#passing === passing) this.#passing = null;
      this.#draw(true);
    };
    passing.finished.then(end, end);
    return passing;
  }
}
