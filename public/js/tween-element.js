// The base class of the components.
import { make, setText } from "./dom.js";
import { SHARED_STYLES } from "./element-style.js";
import { feedFrom } from "./feed.js";
import { pagePace } from "./pace.js";
import { dispatchFrame, dispatchServerEvent, localeOf, resourceOf, setStale } from "./resource.js";

/** Why an element may be out of date, for its tooltip. */
const STALE_TITLES = {
  missing: "There is no such resource",
  removed: "Deleted",
  connecting: "No connection",
  frozen: "The server isn't responding",
};

/** A text too long for most lines may wrap. A shorter number stays in one line, however narrow its place: in two it
 *  would read as two numbers. */
const LONG_WORD = /[^ ]{30}/;

/**
 * @typedef {import("./resource.js").Resource} Resource
 * @typedef {import("./feed.js").Staleness} Staleness
 * @typedef {import("./stream.js").TicketProvider} Giver
 */

/** Properties that pages can't set. */
const READ_ONLY = ["value", "text", "fraction"];

/** The style sheet of each class.
 *  @type {Map<Function, CSSStyleSheet>} */
const styleSheets = new Map();

/** An element that shows one resource. Subclasses `build` the shadow root and `render` each frame. */
export class TweenElement extends HTMLElement {
  // A getter: esbuild would compile a static field to code for older browsers.
  static get observedAttributes() {
    return ["src", "ticket", "locale", ...READ_ONLY];
  }

  /** Properties that a page may set before the element is defined. */
  static get properties() {
    return ["src", "ticket", ...READ_ONLY];
  }

  styles = "";
  /** The newest frame.
   *  @type {any} */
  newest = null;
  /** The key of the resource shown.
   *  @type {string | undefined} */
  key;
  /** @type {(() => void) | undefined} */
  #unsubscribe;
  /** @type {Giver | undefined} */
  #ticketProvider;
  #staleMark = make("span", { part: "stale", class: "stale", role: "img" });
  /** The address of the resource that it shows.
   *  @type {string | undefined} */
  #address;
  /** Set while the element is known to be off-screen. */
  skipsDrawing = false;
  /** @type {CustomStateSet | undefined} */
  #states;

  constructor() {
    super();
    this.#states = this.attachInternals?.().states;
  }

  connectedCallback() {
    this.#upgradeProperties();
    if (!this.shadowRoot) this.#build(this.attachShadow({ mode: "open" }));
    this.follow();
  }

  /** Properties that the page set before the element was defined shadow the accessors: sets them again. */
  #upgradeProperties() {
    const own = /** @type {Record<string, any>} */ (this);
    for (const name of /** @type {typeof TweenElement} */ (this.constructor).properties) {
      if (!Object.hasOwn(own, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  /** @param {ShadowRoot} root */
  #build(root) {
    const kind = /** @type {typeof TweenElement} */ (this.constructor);
    const sheet = styleSheets.get(kind) ?? new CSSStyleSheet();
    if (!styleSheets.has(kind)) sheet.replaceSync(SHARED_STYLES + this.styles);
    styleSheets.set(kind, sheet);
    root.adoptedStyleSheets = [sheet];
    this.valuePart = make("span", { part: "value", class: "value", dir: "auto" });
    this.fallback = make("slot");
    root.append(...this.build(), this.fallback, this.#staleMark);
  }

  /**
   * Creates the nodes of the shadow root.
   * @returns {Node[]}
   */
  build() {
    return [this.valuePart];
  }

  disconnectedCallback() {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** @param {string} [name]
   *  @param {string | null} [_before]
   *  @param {string | null} [value] */
  attributeChangedCallback(name, _before, value) {
    if (name !== undefined && READ_ONLY.includes(name)) {
      if (value !== null) this.warnReadOnly(name);
      return;
    }
    if (this.isConnected && this.shadowRoot) this.follow();
  }

  /** Connects to the resource of `src`; a different one than before starts empty. */
  follow() {
    const { resource } = this;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    if (resource?.address !== this.#address) {
      this.#address = resource?.address;
      this.key = resource?.key;
      this.reset();
    }
    this.setStale(this.hasAttribute("src") && !resource ? "missing" : null);
    if (resource) this.#unsubscribe = this.listen(resource);
  }

  /** Until the first frame, the content between the tags shows. */
  reset() {
    this.newest = null;
    this.fallback.hidden = false;
    this.clear();
  }

  clear() {
    setText(this.valuePart, "");
  }

  /** Warns a page that sets a read-only property, and says what to do instead.
   *  @param {string} name */
  warnReadOnly(name) {
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

  /** Why the element may be out of date; null while it is current. */
  get stale() {
    return /** @type {Staleness | null} */ (this.getAttribute("stale"));
  }

  /** The text shown; empty before the first frame. */
  get text() {
    return this.newest?.text ?? "";
  }

  set text(_) {
    this.warnReadOnly("text");
  }

  /** The number shown; null before the first frame, and if there is none. */
  get value() {
    const { value } = this.newest ?? {};
    return value === undefined ? null : Number(value);
  }

  set value(_) {
    this.warnReadOnly("value");
  }

  /** The progress from 0 to 1; null while it is unknown. */
  get fraction() {
    return this.newest?.fraction ?? null;
  }

  set fraction(_) {
    this.warnReadOnly("fraction");
  }

  /** The provider of one-time tickets: a function, or an address, which may be the attribute's. */
  get ticket() {
    return this.#ticketProvider || this.getAttribute("ticket") || undefined;
  }

  set ticket(giver) {
    this.#ticketProvider = giver;
    this.attributeChangedCallback();
  }

  /**
   * The resource of `src`; undefined if the address names none.
   * @returns {Resource | undefined}
   */
  get resource() {
    const src = this.getAttribute("src");
    return src === null ? undefined : resourceOf(src);
  }

  /**
   * The subscription beside events.
   * @returns {import("./subscriptions.js").Subscription}
   */
  get wants() {
    return { frames: true };
  }

  /**
   * @param {Resource} resource
   * @returns {() => void} unsubscribes
   */
  listen(resource) {
    const { server, key } = resource;
    this.feed = feedFrom(server, this.ticket, localeOf(this, "locale", resource));
    return this.feed.listen(key, {
      wants: this.wants,
      frame: (data) => this.receive(data),
      isOffscreen: () => this.skipsDrawing,
      motion: (data) => this.receiveMotion(data),
      event: (data, _, name) => this.receiveEvent(data, name),
      stale: (reason) => this.setStale(reason),
    });
  }

  /**
   * Receives a motion, for elements that subscribe to motions.
   * @param {any} _
   */
  receiveMotion(_) {}

  /** @param {any} data */
  receive(data) {
    this.deliver(data);
  }

  /**
   * Passes a value on to be shown; subclasses may delay it.
   * @param {any} data
   * @param {boolean} [_isPaced] whether the sender keeps to the element's pace
   */
  deliver(data, _isPaced) {
    this.show(data);
  }

  /** @param {any} data */
  show(data) {
    const isFirst = !this.newest;
    this.newest = data;
    if (isFirst) this.fallback.hidden = true;
    this.draw();
    if (isFirst) this.settle();
    dispatchFrame(this, data);
  }

  draw() {
    if (!this.newest || this.skipsDrawing) return;
    this.valuePart.classList.toggle("endless", LONG_WORD.test(this.newest.text));
    this.render(this.newest);
  }

  /** @param {any} _ */
  render(_) {}

  /** The value shown is at rest. */
  rest() {
    this.settle();
  }

  /** Updates what assistive technology reads. */
  settle() {}

  /**
   * Fires a server's event as a DOM event.
   * @param {any} detail
   * @param {string} name
   */
  receiveEvent(detail, name) {
    if (this.newest && detail.reason !== "superseded") this.rest();
    dispatchServerEvent(this, detail, name);
  }

  /** @param {Staleness | null} reason null: what is shown is current */
  setStale(reason) {
    if (!setStale(this, "stale", reason)) return;
    if (reason) this.#staleMark.title = this.#staleMark.ariaLabel = STALE_TITLES[reason];
    try {
      this.#states?.[reason ? "add" : "delete"]("stale");
    } catch {
      // Chromium before 125 has only states with dashes; the attribute says the same.
    }
    // Wheels stop while the element is stale, and turn again afterwards.
    this.draw();
  }
}
