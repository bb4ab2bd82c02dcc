// <tween-marquee items="li">: selection by rectangle, click and keyboard on any page. Selected items have
// `data-selected` and, if they have a role such as option, `aria-selected`. Fires `tweenselect`.
import { CONTROLS, itemKey, TweenMarquee } from "./marquee.js";
import { nearestInNextRow } from "./row-navigation.js";

/** `:where` lets the page's own styles win. */
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
/* Otherwise touch and hold would select a word. */
:root:has(> body > .tween-rectangle) { -webkit-user-select: none; user-select: none }
@media (forced-colors: active) { .tween-rectangle { background: none } }`;

/** Roles whose items can be multi-selected. */
const MULTISELECT_ROLES = ["listbox", "grid", "tree", "tablist"];

/** @type {CSSStyleSheet | undefined} */
let sheet;

export class EmbeddedMarquee extends TweenMarquee {
  static get observedAttributes() {
    return ["items"];
  }

  #observer = new MutationObserver(() => this.#update());

  constructor() {
    super();
    this.box.className = "tween-rectangle";
    // In the top layer, so that it covers dialogs.
    this.box.setAttribute("popover", "manual");
  }

  connectedCallback() {
    super.connectedCallback();
    this.#upgradeSelected();
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(STYLE);
    for (const root of new Set([document, this.getRootNode()])) {
      const { adoptedStyleSheets } = /** @type {Document | ShadowRoot} */ (root);
      if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
    }
    if (MULTISELECT_ROLES.includes(this.getAttribute("role") ?? "")) this.ariaMultiSelectable = "true";
    this.#observer.observe(this, { childList: true, subtree: true, attributeFilter: ["hidden"] });
    this.#update();
  }

  /** A selection that the page set before the element was defined shadows the accessor: sets it again. */
  #upgradeSelected() {
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
    if (this.isConnected) this.#update();
  }

  /** The selected items in document order.
   *  @returns {HTMLElement[]} */
  get selected() {
    return this.all.filter((item) => this.selectedKeys.has(itemKey(item)));
  }

  set selected(items) {
    this.select(items.map(itemKey));
  }

  /** Applies the selection to new items, removes missing ones from it, and keeps one item as the tab stop. */
  #update() {
    const { all } = this;
    const known = new Set(all.map(itemKey));
    this.select([...this.selectedKeys].filter((key) => known.has(key)));
    for (const item of all) this.mark(item, this.selectedKeys.has(itemKey(item)));
    const { items } = this;
    if (!items.some((item) => item.tabIndex === 0)) this.#setCurrent(items[0]);
  }

  /** @param {HTMLElement | undefined} item */
  #setCurrent(item) {
    for (const other of this.all) if (other !== item) other.tabIndex = -1;
    if (item) item.tabIndex = 0;
  }

  /** A rectangle begins within the element or in the space around it, so that text beside it can still be selected.
   *  @param {Element} target */
  mayBegin(target) {
    const isHere = this.contains(target) || target.contains(this) || this.#isHostedBy(target);
    const dialog = document.querySelector("dialog[open]");
    return isHere && (!dialog || dialog.contains(this)) && !this.isControl(target);
  }

  /** Only controls within the element count: a dialog around it, for example, doesn't.
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

  /** A tap toggles an item, since there is no Ctrl key.
   *  @param {PointerEvent} from */
  begin(from) {
    super.begin(from);
    if (this.start?.isTouch) this.start.toggles = true;
  }

  draw() {
    super.draw();
    this.box.showPopover?.();
  }

  /** The Escape key counts only if the focus is here or nowhere. */
  get isFree() {
    const active = document.activeElement ?? document.body;
    return super.isFree && (active.contains(this) || this.contains(active));
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    super.handleKey(event);
    const [target] = event.composedPath();
    const item = this.items.find((one) => one === target);
    if (!item || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = this.#next(item, event.key);
    if (event.key === " ") this.toggle(itemKey(item));
    else if (!next) return;
    else if (event.shiftKey) this.select([...this.selectedKeys, itemKey(item), itemKey(next)]);
    event.preventDefault();
    if (!next) return;
    this.#setCurrent(next);
    next.focus();
  }

  /**
   * The item that a key leads to.
   * @param {HTMLElement} item
   * @param {string} key
   */
  #next(item, key) {
    const { items } = this;
    const at = items.indexOf(item);
    const forward = this.matches(":dir(rtl)") ? "ArrowLeft" : "ArrowRight";
    if (key === "Home") return items[0];
    if (key === "End") return items.at(-1);
    if (key === "ArrowUp" || key === "ArrowDown") return nearestInNextRow(item, items, key === "ArrowDown");
    if (key === "ArrowLeft" || key === "ArrowRight") return items[at + (key === forward ? 1 : -1)];
    return undefined;
  }

  /** @param {HTMLElement} item
   *  @param {boolean} isSelected */
  mark(item, isSelected) {
    if (item.hasAttribute("data-selected") !== isSelected) {
      item.toggleAttribute("data-selected", isSelected);
    }
    if (item.hasAttribute("role")) item.ariaSelected = `${isSelected}`;
    const pick = item.querySelector(".pick");
    if (pick instanceof HTMLInputElement) pick.checked = isSelected;
  }

  dispatchSelection() {
    const { selected } = this;
    const keys = [...this.selectedKeys];
    const detail = { selected, keys };
    this.dispatchEvent(new CustomEvent("tweenselect", { detail, bubbles: true, composed: true }));
  }
}

if (!customElements.get("tween-marquee")) customElements.define("tween-marquee", EmbeddedMarquee);
