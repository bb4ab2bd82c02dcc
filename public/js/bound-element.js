// An element of the page that shows a resource.
import { setStale } from "./resource.js";

/** The attribute that says why the element may be out of date. */
const STALE = "data-tween-stale";

/** Writes a number or text where an element of its kind has one. */
export class BoundElement {
  /** What the element contained before: its text, or the text of a field; and the attribute. */
  #text;
  #value;
  #isWritten = false;

  /** @param {any} element */
  constructor(element) {
    this.element = element;
    this.#text = this.#isField ? element.value : element.textContent;
    this.#value = element.getAttribute("value");
  }

  get #isGauge() {
    return this.element.matches("meter, progress");
  }

  get #isField() {
    return this.element.matches("input, textarea, select");
  }

  get #isData() {
    return this.element.localName === "data";
  }

  /** @param {any} data */
  write(data) {
    const { text, value } = data;
    this.#isWritten = true;
    if (this.#isGauge) this.#fill(data);
    else {
      if (this.#isData) this.#set("value", `${value}`);
      this.#setText(`${/^(number|range)$/.test(this.element.type) ? value : text}`);
    }
  }

  /**
   * Sets how full a gauge is: for a progress on the element's scale, for a ticker the number itself.
   * @param {any} data
   */
  #fill(data) {
    const { element } = this;
    const { text, value, fraction, progress } = data;
    const { min = 0, max } = element;
    this.#set("ariaValueText", text);
    if (progress === undefined) this.#set("value", Number(value));
    else if (fraction == null) element.removeAttribute("value");
    else this.#set("value", min + Math.min(1, Math.max(0, fraction)) * (max - min));
  }

  /**
   * Writes only what has changed.
   * @param {string} property
   * @param {string | number} value
   */
  #set(property, value) {
    if (this.element[property] !== value) this.element[property] = value;
  }

  /**
   * Sets the text, but keeps what somebody is typing.
   * @param {string} text
   */
  #setText(text) {
    const { element } = this;
    const { childNodes, firstChild, readOnly, isContentEditable } = element;
    const isEditable = this.#isField ? !readOnly : isContentEditable;
    if (isEditable && element.matches(":focus")) return;
    if (this.#isField) return this.#set("value", text);
    // A text node is reused: the page may hold a reference to it.
    const isText = childNodes.length === 1 && firstChild.nodeType === Node.TEXT_NODE;
    if (!isText) element.textContent = text;
    else if (firstChild.data !== text) firstChild.data = text;
  }

  /** Restores what the element contained before. */
  restore() {
    if (!this.#isWritten) return;
    this.#isWritten = false;
    const { element } = this;
    if (this.#isGauge) element.ariaValueText = null;
    else this.#setText(this.#text);
    if (!this.#isGauge && !this.#isData) return;
    if (this.#value === null) element.removeAttribute("value");
    else element.setAttribute("value", this.#value);
  }

  /** @param {import("./resource.js").Staleness | null} reason */
  setStale(reason) {
    setStale(this.element, STALE, reason);
  }
}
