// <tween-marquee items="selector">: selection among its descendants by a rectangle dragged from anywhere on the page,
// by touch and hold, by clicks and by keyboard. Fires `selectionchange` with their keys, and `tweenrectangle` while a
// rectangle is drawn.

/**
 * Identifies an item: its `data-key`, which survives when the item is replaced, or the item itself.
 * @typedef {any} Key
 */

/** Pixels from the window's edge within which a drag scrolls, and the most it scrolls in a frame. */
const SCROLL_EDGE = 48;
const SCROLL_STEP = 18;
/** Pixels from which a click is a drag. */
const DRAG_SLACK = 4;
/** A finger that stays within so many pixels for so many milliseconds draws a rectangle; one that moves earlier
 *  scrolls. Operating systems open their menus after half a second. */
const TOUCH_SLACK = 10;
const HOLD_TIME = 400;

export const CONTROLS =
  "a, button, input, select, textarea, summary, label, dialog, [contenteditable], [data-keep]";

/**
 * @param {HTMLElement} item
 * @returns {Key}
 */
export const itemKey = (item) => item.dataset.key ?? item;

/** @param {any} event */
const isFinger = ({ pointerType }) => pointerType === "touch";

export class TweenMarquee extends HTMLElement {
  /** The keys of the selected items, hidden ones included.
   *  @type {Set<Key>} */
  selectedKeys = new Set();
  box = Object.assign(document.createElement("div"), { className: "marquee" });

  /** @type {AbortController | undefined} */
  #listening;

  /** The rectangle in the window, and where it began; null while none is drawn.
   *  @type {DOMRect | null} */
  rectangle = null;
  /** @type {DOMPoint | null} */
  origin = null;

  /** The locked aspect ratio, width by height; undefined while it is free.
   *  @type {number | undefined} */
  #aspect;

  /** Runs while a finger stays in place.
   *  @type {number | undefined} */
  #holdTimer;

  /** Where a range of items begins.
   *  @type {Key} */
  #anchor;

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
    // A second finger locks the rectangle's aspect ratio, and so does the Alt key.
    const keep = (/** @type {boolean} */ isLocked) => this.start && this.#lockAspect(isLocked);
    on(window, "pointerdown", (event) => !event.isPrimary && this.rectangle?.height && keep(true));
    on(window, "pointerup pointercancel", (event) => !event.isPrimary && keep(false));
    on(window, "keydown keyup", (event) => {
      if (event.key !== "Alt" || !this.start) return;
      // The Alt key alone would open the browser's menu.
      event.preventDefault();
      keep(event.type === "keydown");
    });
    // Only the first finger counts, and events that no pointer caused.
    const isRelevant = (/** @type {any} */ event) => this.start && event.isPrimary !== false;
    on(window, "pointermove scroll", (event) => isRelevant(event) && this.#drag(event));
    on(window, "pointerup", (event) => isRelevant(event) && this.#release(event));
    on(window, "pointercancel blur dragstart", (event) => isRelevant(event) && this.finish());
    on(document.documentElement, "pointerleave", (event) => isRelevant(event) && this.finish());
    // While a finger draws, the page doesn't scroll, and no menu opens.
    const stay = (/** @type {Event} */ event) => this.start?.isHeld && event.preventDefault();
    this.addEventListener("touchmove", stay, { signal, passive: false });
    this.addEventListener("contextmenu", stay, { signal });
    on(this, "keydown", (event) => this.handleKey(event));
    on(window, "keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && this.isFree) this.clear();
    });
    on(this, "change", (event) => this.#handlePick(event));
  }

  disconnectedCallback() {
    this.finish();
    this.#listening?.abort();
  }

  /** Whether no dialog or popover is open that takes keys and clicks first. */
  get isFree() {
    const over = "dialog[open], :popover-open:not(.tween-rectangle)";
    return !document.querySelector(over);
  }

  /** All items, hidden ones included; the children if there is no `items`.
   *  @returns {HTMLElement[]} */
  get all() {
    const items = this.getAttribute("items") ?? ":scope > *";
    return /** @type {HTMLElement[]} */ ([...this.querySelectorAll(items)]);
  }

  /** The items that are not hidden. */
  get items() {
    return this.all.filter((item) => !item.hidden);
  }

  /** The keys of the items that are selected and not hidden: those that actions apply to.
   *  @returns {Key[]} */
  get selectedVisible() {
    return this.selectedKeys.size ? this.items.map(itemKey).filter((key) => this.selectedKeys.has(key)) : [];
  }

  /** @param {PointerEvent} from */
  begin(from) {
    const [target] = from.composedPath();
    if (from.button || !from.isPrimary) return;
    if (!(target instanceof Element) || !this.mayBegin(target)) return;
    const item = this.items.find((one) => one.contains(target));
    const toggles = from.ctrlKey || from.metaKey;
    const kept = from.shiftKey || toggles ? [...this.selectedKeys] : [];
    const isTouch = from.pointerType === "touch";
    this.start = { from, to: from, kept, toggles, item, isTouch, isHeld: false };
    clearTimeout(this.#holdTimer);
    if (isTouch && this.contains(target)) this.#holdTimer = setTimeout(() => this.#startTouchDrag(), HOLD_TIME);
  }

  /** Starts a rectangle under a finger that has stayed. It adds to the selection, since there is no Ctrl key. */
  #startTouchDrag() {
    const start = /** @type {NonNullable<typeof this.start>} */ (this.start);
    Object.assign(start, { isHeld: true, kept: [...this.selectedKeys] });
    this.#drag(start.to);
  }

  /** @param {Element} target where the pointer goes down */
  mayBegin(target) {
    return !this.isControl(target) && !document.querySelector("dialog[open]");
  }

  /** Whether a control handles clicks on the target.
   *  @param {Element} target */
  isControl(target) {
    return target.closest(CONTROLS) !== null;
  }

  /** Draws the rectangle in any direction, from where it began even if the page has scrolled.
   *  @param {any} event */
  #drag(event) {
    const start = /** @type {NonNullable<typeof this.start>} */ (this.start);
    if (event.buttons === 0) return this.finish();
    if (event.type !== "scroll") start.to = event;
    // The pointer's events tell whether Alt was down from the start, or was released outside of the window.
    if (event.altKey !== undefined && !isFinger(event)) this.#setAspectLock(event.altKey);
    const { from, to, kept, toggles, isTouch, isHeld } = start;
    if (isTouch && !isHeld) {
      const moved = Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY);
      if (moved > TOUCH_SLACK) clearTimeout(this.#holdTimer);
      return;
    }
    const x = from.pageX - scrollX;
    const y = from.pageY - scrollY;
    const box = this.#boxFrom(x, y, to.clientX - x, to.clientY - y);
    const { left, right, top, bottom } = box;
    if (!isHeld && !this.box.isConnected && right - left + bottom - top < DRAG_SLACK) return;
    if (!this.box.isConnected) {
      this.draw();
      this.#scrollOn();
    }
    getSelection()?.removeAllRanges();
    const place = { left, top, width: right - left, height: bottom - top };
    for (const [side, at] of Object.entries(place)) this.box.style.setProperty(side, `${at}px`);
    this.rectangle = new DOMRect(left, top, place.width, place.height);
    this.origin = new DOMPoint(x, y);
    const touched = this.items.filter((item) => {
      const box = item.getBoundingClientRect();
      return box.left <= right && box.right >= left && box.top <= bottom && box.bottom >= top;
    }).map(itemKey);
    const remaining = toggles ? kept.filter((key) => !touched.includes(key)) : kept;
    const added = toggles ? touched.filter((key) => !kept.includes(key)) : touched;
    this.select([...remaining, ...added]);
    this.#dispatchRectangle();
  }

  /** Locks or unlocks the rectangle's aspect ratio; one without a size becomes a square.
   *  @param {boolean} isLocked
   *  @returns {boolean} whether that changed anything */
  #setAspectLock(isLocked) {
    if ((this.#aspect !== undefined) === isLocked) return false;
    const { width = 0, height = 0 } = this.rectangle ?? {};
    this.#aspect = !isLocked ? undefined : width && height ? width / height : 1;
    return true;
  }

  /** @param {boolean} isLocked */
  #lockAspect(isLocked) {
    if (this.#setAspectLock(isLocked) && this.box.isConnected && this.start) this.#drag({ type: "scroll" });
  }

  /** A box from a corner; with a locked aspect ratio it is enlarged to fit.
   *  @param {number} x
   *  @param {number} y
   *  @param {number} width negative to the left
   *  @param {number} height negative upwards */
  #boxFrom(x, y, width, height) {
    const aspect = this.#aspect;
    if (aspect === undefined) return new DOMRect(x, y, width, height);
    const wide = Math.max(Math.abs(width), Math.abs(height) * aspect);
    return new DOMRect(x, y, width < 0 ? -wide : wide, (height < 0 ? -wide : wide) / aspect);
  }

  #dispatchRectangle() {
    const { rectangle, origin } = this;
    const detail = { rectangle, origin };
    this.dispatchEvent(new CustomEvent("tweenrectangle", { detail, bubbles: true, composed: true }));
  }

  /** Adds the rectangle to the page. */
  draw() {
    document.body.append(this.box);
  }

  /** Scrolls while the pointer is near the window's edge. */
  #scrollOn() {
    if (!this.box.isConnected || !this.start) return;
    const { clientY } = this.start.to;
    const beyond = clientY < SCROLL_EDGE ? clientY - SCROLL_EDGE : Math.max(0, clientY - innerHeight + SCROLL_EDGE);
    if (beyond) scrollBy(0, Math.max(-1, Math.min(1, beyond / SCROLL_EDGE)) * SCROLL_STEP);
    requestAnimationFrame(() => this.#scrollOn());
  }

  /** A click selects only its item; with Ctrl it toggles the item, with Shift it selects all from the last one; beside
   *  the items it clears the selection.
   *  @param {PointerEvent} event */
  #release(event) {
    const { item, toggles, from } = /** @type {NonNullable<typeof this.start>} */ (this.start);
    const wasDrawn = this.box.isConnected;
    this.finish();
    if (wasDrawn || !(/** @type {Element} */ (event.target).isConnected)) return;
    const key = item && itemKey(item);
    if (key === undefined) {
      if (!from.shiftKey && !toggles) this.select([]);
      return;
    }
    const all = this.items.map(itemKey);
    const anchor = all.indexOf(this.#anchor ?? key);
    if (from.shiftKey) {
      const [first, last] = [Math.max(0, anchor), all.indexOf(key)].sort((a, b) => a - b);
      return this.select([...this.selectedKeys, ...all.slice(first, last + 1)]);
    }
    this.#anchor = key;
    if (toggles) return this.toggle(key);
    // A tap on the only selected item deselects it: a phone has no Escape key.
    const isAlone = this.selectedKeys.size === 1 && this.selectedKeys.has(key);
    this.select(isAlone ? [] : [key]);
  }

  /** @param {Key} key */
  toggle(key) {
    this.#anchor = key;
    const others = [...this.selectedKeys].filter((other) => other !== key);
    this.select(this.selectedKeys.has(key) ? others : [...others, key]);
  }

  finish() {
    clearTimeout(this.#holdTimer);
    this.start = undefined;
    this.#aspect = undefined;
    this.box.remove();
    if (!this.rectangle) return;
    this.rectangle = this.origin = null;
    this.#dispatchRectangle();
  }

  /** Toggles the item of a checkbox.
   *  @param {Event} event */
  #handlePick({ target }) {
    const box = /** @type {HTMLElement} */ (target);
    const item = this.items.find((one) => one.contains(box));
    if (item && box.matches(".pick")) this.toggle(itemKey(item));
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.select(this.items.map(itemKey));
  }

  clear() {
    this.finish();
    this.select([]);
  }

  /** Selects exactly these.
   *  @param {Key[]} keys */
  select(keys) {
    const next = new Set(keys);
    if (next.size === this.selectedKeys.size && [...next].every((key) => this.selectedKeys.has(key))) return;
    this.selectedKeys = next;
    for (const item of this.all) this.mark(item, next.has(itemKey(item)));
    this.dispatchSelection();
  }

  /** Marks an item as selected or not.
   *  @param {HTMLElement} item
   *  @param {boolean} isSelected */
  mark(item, isSelected) {
    item.classList.toggle("chosen", isSelected);
    /** @type {HTMLInputElement} */ (item.querySelector(".pick")).checked = isSelected;
  }

  dispatchSelection() {
    this.dispatchEvent(
      new CustomEvent("selectionchange", { detail: { ids: [...this.selectedKeys] }, bubbles: true })
    );
  }
}
