// <tween-marquee items="li">: selection by rectangle, click and keyboard on pages of others. What
// is selected has `data-selected`; where items have a role, as options, `aria-selected` too. Fires
// `tweenselect` with what is selected.
import { CONTROLS, keyOf, TweenMarquee } from "./marquee.js";
import { beyond } from "./row-navigation.js";

/** What a page says of its own counts more. */
const STYLE = `
:where(tween-marquee) { display: block }
:where(tween-marquee [data-selected]) {
  outline: 2px solid var(--tween-marquee, Highlight);
  outline-offset: 1px;
}
.tween-rectangle {
  --own: var(--tween-marquee, Highlight);
  position: fixed;
  inset: auto;
  margin: 0;
  padding: 0;
  border: 1px solid var(--own);
  background: color-mix(in srgb, var(--own) 12%, transparent);
  pointer-events: none;
}
/* A finger that stays would select a word. */
:root:has(> body > .tween-rectangle) { -webkit-user-select: none; user-select: none }
@media (forced-colors: active) { .tween-rectangle { background: none } }`;

/** Roles with items of which several may be selected. */
const LISTS = ["listbox", "grid", "tree", "tablist"];

/** @type {CSSStyleSheet | undefined} */
let sheet;

export class PageMarquee extends TweenMarquee {
  static get observedAttributes() {
    return ["items"];
  }

  #observer = new MutationObserver(() => this.#keep());

  constructor() {
    super();
    this.box.className = "tween-rectangle";
    // Above dialogs, too.
    this.box.setAttribute("popover", "manual");
  }

  connectedCallback() {
    super.connectedCallback();
    this.#recall();
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(STYLE);
    for (const root of new Set([document, this.getRootNode()])) {
      const { adoptedStyleSheets } = /** @type {Document | ShadowRoot} */ (root);
      if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
    }
    if (LISTS.includes(this.getAttribute("role") ?? "")) this.ariaMultiSelectable = "true";
    this.#observer.observe(this, { childList: true, subtree: true, attributeFilter: ["hidden"] });
    this.#keep();
  }

  /** What the page selected before it knew the element hides the property. */
  #recall() {
    if (!Object.hasOwn(this, "selected")) return;
    const { selected } = this;
    Reflect.deleteProperty(this, "selected");
    this.selected = selected;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#keep();
  }

  /** What is selected, in the order of the page.
   *  @returns {HTMLElement[]} */
  get selected() {
    return this.all.filter((item) => this.chosen.has(keyOf(item)));
  }

  set selected(items) {
    this.choose(items.map(keyOf));
  }

  /** One that is new may be selected already, one that is gone is no more; and there is one that
   *  the Tab key comes to. */
  #keep() {
    const { all } = this;
    const known = new Set(all.map(keyOf));
    this.choose([...this.chosen].filter((key) => known.has(key)));
    for (const item of all) this.mark(item, this.chosen.has(keyOf(item)));
    const { items } = this;
    if (!items.some((item) => item.tabIndex === 0)) this.#become(items[0]);
  }

  /** @param {HTMLElement | undefined} item */
  #become(item) {
    for (const other of this.all) if (other !== item) other.tabIndex = -1;
    if (item) item.tabIndex = 0;
  }

  /** Text beside it can be selected as ever: a rectangle begins in it, or in the space around it.
   *  @param {Element} target */
  mayBegin(target) {
    const isHere = this.contains(target) || target.contains(this) || this.#isHostedBy(target);
    const dialog = document.querySelector("dialog[open]");
    return isHere && (!dialog || dialog.contains(this)) && !this.isControl(target);
  }

  /** In a dialog, or what else the page has around it, it is free.
   *  @param {Element} target */
  isControl(target) {
    const control = target.closest(CONTROLS);
    return control !== null && this.contains(control);
  }

  /** @param {Element} target */
  #isHostedBy(target) {
    const root = this.getRootNode();
    return root instanceof ShadowRoot && target.contains(root.host);
  }

  /** A finger has no Ctrl key: what it taps is added, or taken away.
   *  @param {PointerEvent} from */
  begin(from) {
    super.begin(from);
    if (this.start?.isTouch) this.start.toggles = true;
  }

  draw() {
    super.draw();
    this.box.showPopover?.();
  }

  /** Escape is the page's, unless the keyboard is here or nowhere. */
  get isFree() {
    const active = document.activeElement ?? document.body;
    return super.isFree && (active.contains(this) || this.contains(active));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    super.key(event);
    const [target] = event.composedPath();
    const item = this.items.find((one) => one === target);
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = this.#next(item, event.key);
    if (event.key === " ") this.toggle(keyOf(item));
    else if (!next) return;
    else if (event.shiftKey) this.choose([...this.chosen, keyOf(item), keyOf(next)]);
    event.preventDefault();
    if (!next) return;
    this.#become(next);
    next.focus();
  }

  /**
   * Where a key leads from an item.
   * @param {HTMLElement} item
   * @param {string} key
   */
  #next(item, key) {
    const { items } = this;
    const at = items.indexOf(item);
    const forward = this.matches(":dir(rtl)") ? "ArrowLeft" : "ArrowRight";
    if (key === "Home") return items[0];
    if (key === "End") return items.at(-1);
    if (key === "ArrowUp" || key === "ArrowDown") return beyond(item, items, key === "ArrowDown");
    if (key === "ArrowLeft" || key === "ArrowRight") return items[at + (key === forward ? 1 : -1)];
    return undefined;
  }

  /** @param {HTMLElement} item
   *  @param {boolean} isChosen */
  mark(item, isChosen) {
    if (item.hasAttribute("data-selected") !== isChosen) {
      item.toggleAttribute("data-selected", isChosen);
    }
    if (item.hasAttribute("role")) item.ariaSelected = `${isChosen}`;
    const pick = item.querySelector(".pick");
    if (pick instanceof HTMLInputElement) pick.checked = isChosen;
  }

  tell() {
    const { selected } = this;
    const keys = [...this.chosen];
    const detail = { selected, keys };
    this.dispatchEvent(new CustomEvent("tweenselect", { detail, bubbles: true, composed: true }));
  }
}

if (!customElements.get("tween-marquee")) customElements.define("tween-marquee", PageMarquee);
