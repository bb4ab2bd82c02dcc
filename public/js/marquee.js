// <tween-marquee items="selector">: selects among its descendants, whatever they are: by a
// rectangle dragged from anywhere on the page, by a finger that first stays where it is, by clicks,
// by the keyboard. Fires `selectionchange` with their keys, and `tweenrectangle` while one is drawn.

/**
 * What stands for an item: its `data-key`, which outlives it, or else itself.
 * @typedef {any} Key
 */

/** Pixels from the window's edge in which a drag scrolls, and how far a frame of it goes at
 *  most. */
const EDGE = 48;
const STEP = 18;
/** Pixels that make a click a drag. */
const SLACK = 4;
/** A finger that stays within so many pixels for so many milliseconds draws a rectangle: what it
 *  moves before that is the page. Systems open their menus after half a second. */
const STAY = 10;
const HOLD = 400;

export const CONTROLS =
  "a, button, input, select, textarea, summary, label, dialog, [contenteditable], [data-keep]";

/**
 * @param {HTMLElement} item
 * @returns {Key}
 */
export const keyOf = (item) => item.dataset.key ?? item;

/** @param {any} event */
const isFinger = ({ pointerType }) => pointerType === "touch";

export class TweenMarquee extends HTMLElement {
  /** Keys of what is selected, of hidden items too.
   *  @type {Set<Key>} */
  chosen = new Set();
  box = Object.assign(document.createElement("div"), { className: "marquee" });

  /** @type {AbortController | undefined} */
  #listening;

  /** Where the rectangle is in the window, and where it began; null where none is drawn.
   *  @type {DOMRect | null} */
  rectangle = null;
  /** @type {DOMPoint | null} */
  origin = null;

  /** Width by height that the rectangle keeps, for as long as somebody wants it to.
   *  @type {number | undefined} */
  #aspect;

  /** The timer of a finger that stays.
   *  @type {number | undefined} */
  #holding;

  connectedCallback() {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    /** @param {EventTarget} target
     *  @param {string} names
     *  @param {(event: any) => void} act */
    const on = (target, names, act) => names.split(" ").forEach(
      (name) => target.addEventListener(name, act, { signal })
    );
    on(window, "pointerdown", (event) => this.begin(event));
    // A second finger keeps the rectangle's shape, and so does the Alt key.
    const keep = (/** @type {boolean} */ isKept) => this.start && this.keep(isKept);
    on(window, "pointerdown", (event) => !event.isPrimary && this.rectangle?.height && keep(true));
    on(window, "pointerup pointercancel", (event) => !event.isPrimary && keep(false));
    on(window, "keydown keyup", (event) => {
      if (event.key !== "Alt" || !this.start) return;
      // Alone it would open the browser's menu.
      event.preventDefault();
      keep(event.type === "keydown");
    });
    // Of several fingers the first counts; what is of no pointer counts as well.
    const isOwn = (/** @type {any} */ event) => this.start && event.isPrimary !== false;
    on(window, "pointermove scroll", (event) => isOwn(event) && this.drag(event));
    on(window, "pointerup", (event) => isOwn(event) && this.release(event));
    on(window, "pointercancel blur dragstart", (event) => isOwn(event) && this.finish());
    on(document.documentElement, "pointerleave", (event) => isOwn(event) && this.finish());
    // While a finger draws, the page stays where it is, and no menu opens.
    const stay = (/** @type {Event} */ event) => this.start?.isHeld && event.preventDefault();
    this.addEventListener("touchmove", stay, { signal, passive: false });
    this.addEventListener("contextmenu", stay, { signal });
    on(this, "keydown", (event) => this.key(event));
    on(window, "keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && this.isFree) this.clear();
    });
    on(this, "change", (event) => this.check(event));
  }

  disconnectedCallback() {
    this.finish();
    this.#listening?.abort();
  }

  /** Whether nothing lies over it that has the keyboard and the pointer to itself. */
  get isFree() {
    const over = "dialog[open], :popover-open:not(.tween-rectangle)";
    return !document.querySelector(over);
  }

  /** All there are, hidden ones too: its children, where it has no `items`.
   *  @returns {HTMLElement[]} */
  get all() {
    const items = this.getAttribute("items") ?? ":scope > *";
    return /** @type {HTMLElement[]} */ ([...this.querySelectorAll(items)]);
  }

  /** Those that are shown. */
  get items() {
    return this.all.filter((item) => !item.hidden);
  }

  /** What is selected and shown: all that is ever acted on.
   *  @returns {Key[]} */
  get acting() {
    return this.chosen.size ? this.items.map(keyOf).filter((key) => this.chosen.has(key)) : [];
  }

  /** @param {PointerEvent} from */
  begin(from) {
    const [target] = from.composedPath();
    if (from.button || !from.isPrimary) return;
    if (!(target instanceof Element) || !this.mayBegin(target)) return;
    const item = this.items.find((one) => one.contains(target));
    const toggles = from.ctrlKey || from.metaKey;
    const kept = from.shiftKey || toggles ? [...this.chosen] : [];
    const isTouch = from.pointerType === "touch";
    this.start = { from, to: from, kept, toggles, item, isTouch, isHeld: false };
    clearTimeout(this.#holding);
    if (isTouch && this.contains(target)) this.#holding = setTimeout(() => this.hold(), HOLD);
  }

  /** Begins a rectangle under a finger that has stayed: what is chosen stays so, as there is no Ctrl
   *  key. */
  hold() {
    const start = /** @type {NonNullable<typeof this.start>} */ (this.start);
    Object.assign(start, { isHeld: true, kept: [...this.chosen] });
    this.drag(start.to);
  }

  /** @param {Element} target where the pointer goes down */
  mayBegin(target) {
    return !this.isControl(target) && !document.querySelector("dialog[open]");
  }

  /** Whether a click on it is its own.
   *  @param {Element} target */
  isControl(target) {
    return target.closest(CONTROLS) !== null;
  }

  /** Draws it any way, from where it began on a page that may scroll.
   *  @param {any} event */
  drag(event) {
    const start = /** @type {NonNullable<typeof this.start>} */ (this.start);
    if (event.buttons === 0) return this.finish();
    if (event.type !== "scroll") start.to = event;
    // One that is held from the start on, or is let go outside of the window, is told by the pointer alone.
    if (event.altKey !== undefined && !isFinger(event)) this.#want(event.altKey);
    const { from, to, kept, toggles, isTouch, isHeld } = start;
    if (isTouch && !isHeld) {
      const moved = Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY);
      if (moved > STAY) clearTimeout(this.#holding);
      return;
    }
    const x = from.pageX - scrollX;
    const y = from.pageY - scrollY;
    const box = this.#shaped(x, y, to.clientX - x, to.clientY - y);
    const { left, right, top, bottom } = box;
    if (!isHeld && !this.box.isConnected && right - left + bottom - top < SLACK) return;
    if (!this.box.isConnected) {
      this.draw();
      this.scrollOn();
    }
    getSelection()?.removeAllRanges();
    const place = { left, top, width: right - left, height: bottom - top };
    for (const [side, at] of Object.entries(place)) this.box.style.setProperty(side, `${at}px`);
    this.rectangle = new DOMRect(left, top, place.width, place.height);
    this.origin = new DOMPoint(x, y);
    const touched = this.items.filter((item) => {
      const box = item.getBoundingClientRect();
      return box.left <= right && box.right >= left && box.top <= bottom && box.bottom >= top;
    }).map(keyOf);
    const remaining = toggles ? kept.filter((key) => !touched.includes(key)) : kept;
    const added = toggles ? touched.filter((key) => !kept.includes(key)) : touched;
    this.choose([...remaining, ...added]);
    this.tellRectangle();
  }

  /** Begins or ends to keep the shape that the rectangle has; one without any becomes a square.
   *  @param {boolean} isKept
   *  @returns {boolean} whether that is new */
  #want(isKept) {
    if ((this.#aspect !== undefined) === isKept) return false;
    const { width = 0, height = 0 } = this.rectangle ?? {};
    this.#aspect = !isKept ? undefined : width && height ? width / height : 1;
    return true;
  }

  /** @param {boolean} isKept */
  keep(isKept) {
    if (this.#want(isKept) && this.box.isConnected && this.start) this.drag({ type: "scroll" });
  }

  /** A box from a corner, as wide or as high as its shape has it at least.
   *  @param {number} x
   *  @param {number} y
   *  @param {number} width negative to the left
   *  @param {number} height negative upwards */
  #shaped(x, y, width, height) {
    const aspect = this.#aspect;
    if (aspect === undefined) return new DOMRect(x, y, width, height);
    const wide = Math.max(Math.abs(width), Math.abs(height) * aspect);
    return new DOMRect(x, y, width < 0 ? -wide : wide, (height < 0 ? -wide : wide) / aspect);
  }

  tellRectangle() {
    const { rectangle, origin } = this;
    const detail = { rectangle, origin };
    this.dispatchEvent(new CustomEvent("tweenrectangle", { detail, bubbles: true, composed: true }));
  }

  /** Puts the rectangle on the page. */
  draw() {
    document.body.append(this.box);
  }

  /** Scrolls as long as the pointer is at the window's edge. */
  scrollOn() {
    if (!this.box.isConnected || !this.start) return;
    const { clientY } = this.start.to;
    const beyond = clientY < EDGE ? clientY - EDGE : Math.max(0, clientY - innerHeight + EDGE);
    if (beyond) scrollBy(0, Math.max(-1, Math.min(1, beyond / EDGE)) * STEP);
    requestAnimationFrame(() => this.scrollOn());
  }

  /** A click: on an item, it alone; with Ctrl it too, or no longer; with Shift all from the last
   *  one to it; elsewhere none.
   *  @param {PointerEvent} event */
  release(event) {
    const { item, toggles, from } = /** @type {NonNullable<typeof this.start>} */ (this.start);
    const wasDrawn = this.box.isConnected;
    this.finish();
    if (wasDrawn || !(/** @type {Element} */ (event.target).isConnected)) return;
    const key = item && keyOf(item);
    if (key === undefined) {
      if (!from.shiftKey && !toggles) this.choose([]);
      return;
    }
    const all = this.items.map(keyOf);
    const anchor = all.indexOf(this.anchor ?? key);
    if (from.shiftKey) {
      const [first, last] = [Math.max(0, anchor), all.indexOf(key)].sort((a, b) => a - b);
      return this.choose([...this.chosen, ...all.slice(first, last + 1)]);
    }
    this.anchor = key;
    if (toggles) return this.toggle(key);
    // A tap on the one that is chosen lets it go: there is no Escape on a phone.
    const isAlone = this.chosen.size === 1 && this.chosen.has(key);
    this.choose(isAlone ? [] : [key]);
  }

  /** @param {Key} key */
  toggle(key) {
    this.anchor = key;
    const others = [...this.chosen].filter((other) => other !== key);
    this.choose(this.chosen.has(key) ? others : [...others, key]);
  }

  finish() {
    clearTimeout(this.#holding);
    this.start = undefined;
    this.#aspect = undefined;
    this.box.remove();
    if (!this.rectangle) return;
    this.rectangle = this.origin = null;
    this.tellRectangle();
  }

  /** An item's own box.
   *  @param {Event} event */
  check({ target }) {
    const box = /** @type {HTMLElement} */ (target);
    const item = this.items.find((one) => one.contains(box));
    if (item && box.matches(".pick")) this.toggle(keyOf(item));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.choose(this.items.map(keyOf));
  }

  clear() {
    this.finish();
    this.choose([]);
  }

  /** Selects these and no others.
   *  @param {Key[]} keys */
  choose(keys) {
    const next = new Set(keys);
    if (next.size === this.chosen.size && [...next].every((key) => this.chosen.has(key))) return;
    this.chosen = next;
    for (const item of this.all) this.mark(item, next.has(keyOf(item)));
    this.tell();
  }

  /** Shows on an item whether it is selected.
   *  @param {HTMLElement} item
   *  @param {boolean} isChosen */
  mark(item, isChosen) {
    item.classList.toggle("chosen", isChosen);
    /** @type {HTMLInputElement} */ (item.querySelector(".pick")).checked = isChosen;
  }

  tell() {
    this.dispatchEvent(
      new CustomEvent("selectionchange", { detail: { ids: [...this.chosen] }, bubbles: true })
    );
  }
}
