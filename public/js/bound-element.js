// An element of a page's own that shows what comes of a resource.
import { tellStale } from "./resource.js";

/** The attribute that says why what such an element shows may not be so any more. */
const STALE = "data-tween-stale";

/** Fields keep what somebody is writing into them. */
const isEdited = (/** @type {any} */ field) => field.matches(":focus") && !field.readOnly;

/** Writes a number or text where elements of its kind have one. */
export class Outlet {
  /** What the page had there. */
  #before;
  #isWritten = false;

  /** @param {any} element */
  constructor(element) {
    this.element = element;
    if (this.#isGauge) this.#before = element.getAttribute("value");
    else this.#before = this.#isField ? element.value : element.textContent;
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
      this.#say(text);
    }
  }

  /**
   * How far a progress is, on the scale that the element has; of a ticker the number itself.
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
   * What is so already is not written.
   * @param {string} property
   * @param {string | number} value
   */
  #set(property, value) {
    if (this.element[property] !== value) this.element[property] = value;
  }

  /** @param {string} text */
  #say(text) {
    const { childNodes, firstChild } = this.element;
    // A node of text stays the one it is: whoever made it may have kept it.
    const isText = childNodes.length === 1 && firstChild.nodeType === Node.TEXT_NODE;
    if (!isText) this.element.textContent = text;
    else if (firstChild.data !== text) firstChild.data = text;
  }

  /** Nothing is known: what the page had there stands there again. */
  empty() {
    if (!this.#isWritten) return;
    this.#isWritten = false;
    const { element } = this;
    if (this.#isGauge) {
      element.ariaValueText = null;
      if (this.#before === null) element.removeAttribute("value");
      else element.setAttribute("value", this.#before);
    } else if (this.#isField) this.#set("value", this.#before);
    else this.#say(this.#before);
  }

  /** @param {import("./resource.js").Staleness | null} reason */
  tellStale(reason) {
    tellStale(this.element, STALE, reason);
  }
}
