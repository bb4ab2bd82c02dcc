// An element of the page that shows a resource.
import { setStale } from "./resource.js";

/** The attribute that says why the element may be out of date. */
const STALE = "data-tween-stale";

/** A field keeps what the user is typing into it. */
const isEdited = (/** @type {any} */ field) => field.matches(":focus") && !field.readOnly;

/** Writes a number or text where an element of its kind has one. */
export class BoundElement {
  /** What the element contained before. */
  #original;
  #isWritten = false;

  /** @param {any} element */
  constructor(element) {
    this.element = element;
    if (this.#isGauge) this.#original = element.getAttribute("value");
    else this.#original = this.#isField ? element.value : element.textContent;
  }

  get #isGauge() {
    return this.element.matches("meter, progress");
  }

  get #isField() {
    return this.element.matches("input, textarea, select");
  }

  /** @param {any} data */
  write(data) {
    const { element } = this;
    const { text, value } = data;
    this.#isWritten = true;
    if (this.#isGauge) this.#fill(data);
    else if (this.#isField) {
      const isNumber = /^(number|range)$/.test(element.type);
      if (!isEdited(element)) this.#set("value", `${isNumber ? value : text}`);
    } else {
      if (element.localName === "data") this.#set("value", `${value}`);
      this.#setText(text);
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

  /** @param {string} text */
  #setText(text) {
    const { childNodes, firstChild } = this.element;
    // A text node is reused: the page may hold a reference to it.
    const isText = childNodes.length === 1 && firstChild.nodeType === Node.TEXT_NODE;
    if (!isText) this.element.textContent = text;
    else if (firstChild.data !== text) firstChild.data = text;
  }

  /** Restores what the element contained before. */
  restore() {
    if (!this.#isWritten) return;
    this.#isWritten = false;
    const { element } = this;
    if (this.#isGauge) {
      element.ariaValueText = null;
      if (this.#original === null) element.removeAttribute("value");
      else element.setAttribute("value", this.#original);
    } else if (this.#isField) this.#set("value", this.#original);
    else this.#setText(this.#original);
  }

  /** @param {import("./resource.js").Staleness | null} reason */
  setStale(reason) {
    setStale(this.element, STALE, reason);
  }
}
