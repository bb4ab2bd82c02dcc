// What the components share, and a maker of elements.
import { feedFrom } from "./feed.js";

/**
 * Makes an element, HTML or SVG, with attributes, listeners (functions) and children.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
  const space = /svg|path|circle/.test(tag) ? "2000/svg" : "1999/xhtml";
  const element = document.createElementNS(`http://www.w3.org/${space}`, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/**
 * A picture of elements, or of paths by their data.
 * @param {string} viewBox
 * @param {...(Node | string)} parts
 */
export const drawing = (viewBox, ...parts) =>
  make(
    "svg",
    { viewBox, "aria-hidden": true },
    ...parts.map((part) => (typeof part === "string" ? make("path", { d: part }) : part)),
  );

/**
 * @param {Node} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const SHARED = `
:host { display: inline-block; position: relative; font-variant-numeric: tabular-nums }
:host([hidden]) { display: none }
:host([stale]) .value { opacity: .55; filter: grayscale(1) }
.stale { position: absolute; inset-block-start: 0; inset-inline-end: -.45em; width: .35em; height: .35em; border-radius: 50%;
	background: GrayText }
:host(:not([stale])) .stale { display: none }
.spoken { user-select: none; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.value { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }`;

/** Why what is shown may not be so any more, for people. */
const REASONS = {
  missing: "There is no such resource",
  removed: "Deleted",
  connecting: "No connection",
  frozen: "The server doesn't answer",
};

const ID = /^[\w.~:-]{1,128}$/;

/**
 * @typedef {object} Resource
 * @property {string} server the root of its server, with a slash at the end
 * @property {string} address
 * @property {string} key
 *
 * @typedef {import("./feed.js").Staleness} Staleness
 * @typedef {import("./stream.js").Giver} Giver
 */

/** An element fed by one resource. Subclasses `build` a shadow root and draw each `frame`. */
export class TweenElement extends HTMLElement {
  static observedAttributes = ["src", "ticket"];
  /** @type {CSSStyleSheet | undefined} */
  static sheet;
  styles = "";
  /** What the newest frame held. @type {any} */
  newest = null;
  /** What is shown, of which resource. @type {string | undefined} */
  key;
  /** Whether nobody sees it, as a page may know: it is not drawn then. */
  unseen = false;
  /** @type {(() => void) | undefined} */
  leave;
  /** @type {Giver | undefined} */
  giver;
  /** @type {CustomStateSet | undefined} */
  #states;

  constructor() {
    super();
    this.#states = this.attachInternals?.().states;
  }

  connectedCallback() {
    // What the page had set before it knew the element hides the property.
    const { ticket } = this;
    if (delete (/** @type {any} */ (this).ticket) && ticket !== this.ticket) this.giver = ticket;
    if (!this.shadowRoot) this.#begin(this.attachShadow({ mode: "open" }));
    this.follow();
  }

  /** @param {ShadowRoot} root */
  #begin(root) {
    const kind = /** @type {typeof TweenElement} */ (this.constructor);
    if (!kind.sheet) (kind.sheet = new CSSStyleSheet()).replaceSync(SHARED + this.styles);
    root.adoptedStyleSheets = [kind.sheet];
    this.valuePart = make("span", { part: "value", class: "value", dir: "auto" });
    this.fallback = make("slot");
    this.mark = make("span", { part: "stale", class: "stale", role: "img" });
    root.append(...this.build(), this.fallback, this.mark);
  }

  /**
   * The nodes of the shadow root.
   * @returns {Node[]}
   */
  build() {
    return [this.valuePart];
  }

  disconnectedCallback() {
    this.leave?.();
    this.leave = undefined;
  }

  attributeChangedCallback() {
    if (this.isConnected && this.shadowRoot) this.follow();
  }

  /** Shows the resource of `src`; of another than before nothing is left. */
  follow() {
    const { resource } = this;
    this.leave?.();
    this.leave = undefined;
    if (resource?.key !== this.key) {
      this.key = resource?.key;
      this.empty();
    }
    this.#tellStale(this.hasAttribute("src") && !resource ? "missing" : null);
    if (resource) this.leave = this.listen(resource);
  }

  /** Nothing is known of the resource yet: what the page has between the tags shows. */
  empty() {
    this.newest = null;
    this.fallback.hidden = false;
    this.clear();
  }

  clear() {
    write(this.valuePart, "");
  }

  /** What gives one-time tickets: a function, or an address, which may be the attribute's. */
  get ticket() {
    return this.giver || this.getAttribute("ticket") || undefined;
  }

  set ticket(giver) {
    this.giver = giver;
    this.attributeChangedCallback();
  }

  /**
   * What `src` names; undefined where it is no address of a resource.
   * @returns {Resource | undefined}
   */
  get resource() {
    const src = this.getAttribute("src");
    if (src === null) return undefined;
    const url = urlOf(src);
    const [, root, list, name] = /^(.*\/)v1\/(tickers|progress|schedules)\/([^/]+)$/.exec(url?.pathname ?? "") ?? [];
    const id = name && decoded(name);
    if (!url || !id || !ID.test(id)) {
      console.warn(`${this.localName}: src="${src}" names no resource`);
      return undefined;
    }
    return { server: url.origin + root, address: url.origin + url.pathname, key: `${list.replace(/([re])s$/, "$1")}:${id}` };
  }

  /**
   * What it takes besides events.
   * @returns {import("./wish.js").Want}
   */
  get wants() {
    return { frames: true };
  }

  /**
   * @param {Resource} resource
   * @returns {() => void} what ends it
   */
  listen({ server, key }) {
    this.feed = feedFrom(server, this.ticket);
    return this.feed.listen(key, {
      wants: this.wants,
      frame: (data) => this.take(data),
      isAsleep: () => this.unseen,
      motion: (data) => this.move(data),
      event: (data, _, name) => this.event(data, name),
      stale: (reason) => this.#tellStale(reason),
    });
  }

  /**
   * A motion, for elements that want any.
   * @param {any} _
   */
  move(_) {}

  /** @param {any} data */
  take(data) {
    const isFirst = !this.newest;
    this.newest = data;
    if (isFirst) this.fallback.hidden = true;
    this.draw();
    if (isFirst) this.settle();
    const { value, text, fraction, percent } = data;
    this.dispatchEvent(new CustomEvent("tweenframe", { detail: { value, text, fraction, percent } }));
  }

  draw() {
    if (this.newest && !this.unseen) this.frame(this.newest);
  }

  /** @param {any} _ */
  frame(_) {}

  /** Values at rest are for assistive technology. */
  settle() {}

  /**
   * The server's events, as DOM events.
   * @param {any} detail
   * @param {string} name
   */
  event(detail, name) {
    if (this.newest && detail.reason !== "superseded") this.settle();
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** @param {Staleness | null} reason nil: what is shown is so */
  #tellStale(reason) {
    if (this.getAttribute("stale") === reason) return;
    if (reason) {
      this.setAttribute("stale", reason);
      this.#states?.add("stale");
      this.mark.title = this.mark.ariaLabel = REASONS[reason];
    } else {
      this.removeAttribute("stale");
      this.#states?.delete("stale");
    }
    this.dispatchEvent(new CustomEvent(reason ? "stale" : "connected", { detail: { reason } }));
  }
}

/** @param {string} text */
function urlOf(text) {
  try {
    return new URL(text, document.baseURI);
  } catch {
    return null;
  }
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
