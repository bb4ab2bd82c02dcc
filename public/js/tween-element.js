// What the components share.
import { SHARED } from "./element-style.js";
import { feedFrom } from "./feed.js";
import { drawing, make, write } from "./dom.js";
import { pagePace } from "./pace.js";
import { resourceOf, tellEvent, tellFrame, tellStale } from "./resource.js";

export { drawing, make, write };

/** Why what is shown may not be so any more, for people. */
const REASONS = {
  missing: "There is no such resource",
  removed: "Deleted",
  connecting: "No connection",
  frozen: "The server doesn't answer",
};

/** What is too long for most lines: it goes on in the next. A number that is not stays in one, however
 *  narrow its place: in two lines it would read as two. */
const ENDLESS = /[^ ]{30}/;

/**
 * @typedef {import("./resource.js").Resource} Resource
 * @typedef {import("./feed.js").Staleness} Staleness
 * @typedef {import("./stream.js").Giver} Giver
 */

/** What elements show, and pages can't set. */
const SHOWN = ["value", "text", "fraction"];

/** The style sheet of each kind of element.
 *  @type {Map<Function, CSSStyleSheet>} */
const sheets = new Map();

/** An element fed by one resource. Subclasses `build` a shadow root and draw each `frame`. */
export class TweenElement extends HTMLElement {
  // Fields of a class would be: bundled, those have all of it written in the words of older scripts.
  static get observedAttributes() {
    return ["src", "ticket", ...SHOWN];
  }

  /** What a page may set before it knows the element. */
  static get properties() {
    return ["src", "ticket", ...SHOWN];
  }

  styles = "";
  /** What the newest frame held.
   *  @type {any} */
  newest = null;
  /** What is shown, of which resource.
   *  @type {string | undefined} */
  key;
  /** @type {(() => void) | undefined} */
  leave;
  /** @type {Giver | undefined} */
  giver;
  /** Whether it is known to be out of sight: then nothing is drawn. */
  unseen = false;
  /** @type {CustomStateSet | undefined} */
  #states;

  constructor() {
    super();
    this.#states = this.attachInternals?.().states;
  }

  connectedCallback() {
    this.#adopt();
    if (!this.shadowRoot) this.#begin(this.attachShadow({ mode: "open" }));
    this.follow();
  }

  /** What the page had set before it knew the element hides the property. */
  #adopt() {
    const own = /** @type {Record<string, any>} */ (this);
    for (const name of /** @type {typeof TweenElement} */ (this.constructor).properties) {
      if (!Object.hasOwn(own, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  /** @param {ShadowRoot} root */
  #begin(root) {
    const kind = /** @type {typeof TweenElement} */ (this.constructor);
    const sheet = sheets.get(kind) ?? new CSSStyleSheet();
    if (!sheets.has(kind)) sheet.replaceSync(SHARED + this.styles);
    sheets.set(kind, sheet);
    root.adoptedStyleSheets = [sheet];
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

  /** @param {string} [name]
   *  @param {string | null} [_before]
   *  @param {string | null} [value] */
  attributeChangedCallback(name, _before, value) {
    if (name !== undefined && SHOWN.includes(name)) {
      if (value !== null) this.refuse(name);
      return;
    }
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
    this.tellStale(this.hasAttribute("src") && !resource ? "missing" : null);
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

  /** Warns a page that sets what only the server changes, with the cure.
   *  @param {string} name */
  refuse(name) {
    const kind = this.localName.slice("tween-".length);
    const path = `/v1/${kind}${kind === "progress" ? "" : "s"}/…`;
    console.warn(`<${this.localName}> shows what its server has, so its ${name} can't be set. `
      + (this.hasAttribute("src") ? `Send an update to ${this.src}.`
        : `Give it src="https://…${path}", and send updates there.`));
  }

  get src() {
    return this.getAttribute("src") ?? "";
  }

  set src(address) {
    this.setAttribute("src", address);
  }

  get pace() {
    return pagePace();
  }

  /** Why what is shown may not be so any more; null where it is. */
  get stale() {
    return /** @type {Staleness | null} */ (this.getAttribute("stale"));
  }

  /** The text that is shown; empty before the first. */
  get text() {
    return this.newest?.text ?? "";
  }

  set text(_) {
    this.refuse("text");
  }

  /** The number that is shown; null before the first, and where there is none. */
  get value() {
    const { value } = this.newest ?? {};
    return value === undefined ? null : Number(value);
  }

  set value(_) {
    this.refuse("value");
  }

  /** How far it is, from 0 to 1; null where that isn't known. */
  get fraction() {
    return this.newest?.fraction ?? null;
  }

  set fraction(_) {
    this.refuse("fraction");
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
    return src === null ? undefined : resourceOf(src);
  }

  /**
   * What it takes besides events.
   * @returns {import("./subscriptions.js").Want}
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
      stale: (reason) => this.tellStale(reason),
    });
  }

  /**
   * A motion, for elements that want any.
   * @param {any} _
   */
  move(_) {}

  /** @param {any} data */
  take(data) {
    this.admit(data);
  }

  /**
   * Where elements may be slower than their page, that is seen to here.
   * @param {any} data
   * @param {boolean} [_isPaced] whether it comes at the element's own pace
   */
  admit(data, _isPaced) {
    this.show(data);
  }

  /** @param {any} data */
  show(data) {
    const isFirst = !this.newest;
    this.newest = data;
    if (isFirst) this.fallback.hidden = true;
    this.draw();
    if (isFirst) this.settle();
    tellFrame(this, data);
  }

  draw() {
    if (!this.newest || this.unseen) return;
    this.valuePart.classList.toggle("endless", ENDLESS.test(this.newest.text));
    this.frame(this.newest);
  }

  /** @param {any} _ */
  frame(_) {}

  /** What is shown is a value at rest. */
  rest() {
    this.settle();
  }

  /** Values at rest are for assistive technology. */
  settle() {}

  /**
   * The server's events, as DOM events.
   * @param {any} detail
   * @param {string} name
   */
  event(detail, name) {
    if (this.newest && detail.reason !== "superseded") this.rest();
    tellEvent(this, detail, name);
  }

  /** @param {Staleness | null} reason nil: what is shown is so */
  tellStale(reason) {
    if (!tellStale(this, "stale", reason)) return;
    if (reason) {
      this.#states?.add("stale");
      this.mark.title = this.mark.ariaLabel = REASONS[reason];
    } else this.#states?.delete("stale");
    // What moved has stopped, or may go on.
    this.draw();
  }
}
