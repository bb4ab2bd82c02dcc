// <tween-marquee items="selector">: selects among its descendants, whatever they are: by a
// rectangle dragged from anywhere on the page, by clicks, by the keyboard. Fires `selectionchange`
// with their ids, `data-key`.

/** Pixels from the window's edge in which a drag scrolls, and how far a frame of it goes at
 *  most. */
const EDGE = 48;
const STEP = 18;
/** Pixels that make a click a drag. */
const SLACK = 4;

const CONTROLS = "a, button, input, select, textarea, summary, label, dialog, [data-keep]";

/** @param {HTMLElement[]} items */
const keys = (items) => items.map((item) => item.dataset.key ?? "");

export class TweenMarquee extends HTMLElement {
  /** Keys of what is selected, of hidden items too.
   *  @type {Set<string>} */
  chosen = new Set();
  box = Object.assign(document.createElement("div"), { className: "marquee" });

  connectedCallback() {
    /** @param {EventTarget} target
     *  @param {string} names
     *  @param {(event: any) => void} act */
    const on = (target, names, act) => names.split(" ").forEach(
      (name) => target.addEventListener(name, act)
    );
    on(window, "pointerdown", (event) => this.begin(event));
    on(window, "pointermove scroll", (event) => this.start && this.drag(event));
    on(window, "pointerup", (event) => this.start && this.release(event));
    on(window, "pointercancel blur dragstart", () => this.finish());
    on(document.documentElement, "pointerleave", () => this.finish());
    on(this, "keydown", (event) => this.key(event));
    on(window, "keydown", (event) => {
      const isFree = !event.defaultPrevented && !document.querySelector(
        "dialog[open], :popover-open"
      );
      if (event.key === "Escape" && isFree) this.clear();
    });
    on(this, "change", (event) => this.check(event));
  }

  /** Those that are shown.

   *  @returns {HTMLElement[]} */
  get items() {
    const items = `${this.getAttribute("items")}:not([hidden])`;
    return /** @type {HTMLElement[]} */ ([...this.querySelectorAll(items)]);
  }

  /** What is selected and shown: all that is ever acted on.

   *  @returns {string[]} */
  get acting() {
    return this.chosen.size ? keys(this.items).filter((key) => this.chosen.has(key)) : [];
  }

  /** @param {PointerEvent} from */
  begin(from) {
    const target = /** @type {Element} */ (from.target);
    if (from.button || target.closest(CONTROLS) || document.querySelector("dialog[open]")) return;
    const item = /** @type {HTMLElement | null} */ (
      target.closest(/** @type {string} */ (this.getAttribute("items")))
    );
    const toggles = from.ctrlKey || from.metaKey;
    const kept = from.shiftKey || toggles ? [...this.chosen] : [];
    this.start = { from, to: from, kept, toggles, item, isTouch: from.pointerType === "touch" };
  }

  /** Draws it any way, from where it began on a page that may scroll.
   *  @param {any} event */
  drag(event) {
    const start = /** @type {NonNullable<typeof this.start>} */ (this.start);
    if (start.isTouch) return;
    if (event.buttons === 0) return this.finish();
    if (event.type !== "scroll") start.to = event;
    const { from, to, kept, toggles } = start;
    const x = from.pageX - scrollX;
    const y = from.pageY - scrollY;
    const { left, right, top, bottom } = new DOMRect(x, y, to.clientX - x, to.clientY - y);
    if (!this.box.isConnected && right - left + bottom - top < SLACK) return;
    if (!this.box.isConnected) {
      document.body.append(this.box);
      this.scrollOn();
    }
    getSelection()?.removeAllRanges();
    const place = { left, top, width: right - left, height: bottom - top };
    for (const [side, at] of Object.entries(place)) this.box.style.setProperty(side, `${at}px`);
    const touched = keys(this.items.filter((item) => {
      const box = item.getBoundingClientRect();
      return box.left <= right && box.right >= left && box.top <= bottom && box.bottom >= top;
    }));
    const remaining = toggles ? kept.filter((key) => !touched.includes(key)) : kept;
    const added = toggles ? touched.filter((key) => !kept.includes(key)) : touched;
    this.choose([...remaining, ...added]);
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
    const key = item?.dataset.key;
    if (key === undefined) {
      if (!from.shiftKey && !toggles) this.choose([]);
      return;
    }
    const all = keys(this.items);
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

  /** @param {string} key */
  toggle(key) {
    this.anchor = key;
    this.choose(
      this.chosen.has(key) ? [...this.chosen].filter((other) => other !== key) : [...this.chosen, key]
    );
  }

  finish() {
    this.start = undefined;
    this.box.remove();
  }

  /** An item's own box.
   *  @param {Event} event */
  check({ target }) {
    const box = /** @type {HTMLElement} */ (target);
    if (!box.matches(".pick")) return;
    const key = /** @type {HTMLElement} */ (box.closest("[data-key]")).dataset.key;
    this.toggle(/** @type {string} */ (key));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "a" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.choose(keys(this.items));
  }

  clear() {
    this.finish();
    this.choose([]);
  }

  /** Selects these and no others.
   *  @param {string[]} ids */
  choose(ids) {
    const next = new Set(ids);
    if (`${[...this.chosen]}` === `${[...next]}`) return;
    this.chosen = next;
    for (const item of this.querySelectorAll(/** @type {string} */ (this.getAttribute("items")))) {
      const isChosen = next.has(/** @type {HTMLElement} */ (item).dataset.key ?? "");
      item.classList.toggle("chosen", isChosen);
      /** @type {HTMLInputElement} */ (item.querySelector(".pick")).checked = isChosen;
    }
    this.dispatchEvent(
      new CustomEvent("selectionchange", { detail: { ids: [...next] }, bubbles: true })
    );
  }
}
