// What the three components share: their address, their feed, their shadow root and its style sheet.
import { feedFrom } from "./feed.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host { display: inline-block; font-variant-numeric: tabular-nums; font-feature-settings: "tnum"; }
:host([hidden]) { display: none; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.value { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.number { display: inline-block; white-space: nowrap; unicode-bidi: isolate; }
.wheel { display: inline-block; height: 1.2em; line-height: 1.2; overflow: hidden; vertical-align: bottom; contain: paint; }
.wheel > span { display: block; }
.wheel > span > span { display: block; height: 1.2em; text-align: center; }
:host([wheels]) .value { line-height: 1.2; }
`);

/** A custom element fed by one resource. Subclasses draw frames. */
export class TweenElement extends HTMLElement {
  static observedAttributes = ["src"];

  /** Style sheets of the shadow root. */
  static sheets = [sheet];

  connectedCallback() {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = this.constructor.sheets;
      this.build(root);
    }
    this.follow();
  }

  disconnectedCallback() {
    this.leave?.();
    this.leave = null;
  }

  attributeChangedCallback() {
    if (this.shadowRoot && this.isConnected) this.follow();
  }

  /** Subscribes to what `src` names; an address that is no resource shows the fallback text. */
  follow() {
    this.disconnectedCallback();
    const resource = this.resource;
    if (!resource) return;
    this.leave = feedFrom(resource.origin).listen(resource.key, {
      frame: (data) => {
        this.newest = data;
        if (!this.sleeping) this.frame(data);
      },
      event: (name, data) => this.event(name, data),
    });
  }

  /** Out of sight nothing is drawn; back in sight the newest frame is, at once. */
  set asleep(asleep) {
    this.sleeping = asleep;
    if (!asleep && this.newest) this.frame(this.newest);
  }

  /** The server and topic of `src="…/v1/tickers/revenue"`. */
  get resource() {
    const url = new URL(this.getAttribute("src") ?? "", document.baseURI);
    const [, list, id] = /\/v1\/(tickers|progress|schedules)\/([^/]+)$/.exec(url.pathname) ?? [];
    if (!id) return null;
    const kind = { tickers: "ticker", progress: "progress", schedules: "schedule" }[list];
    return { origin: url.origin, path: url.pathname, kind, key: `${kind}:${decodeURIComponent(id)}` };
  }

  /** True where values must not move: the reader asked for no motion. */
  get still() {
    return feedFrom(this.resource?.origin).pace !== "live";
  }

  /** Passes on the server's events as DOM events of the same name. */
  event(name, data) {
    if (name === "complete") this.settle(data.text);
    this.dispatchEvent(new CustomEvent(name, { detail: data, bubbles: true, composed: true }));
  }

  /** Text for assistive technology: values at rest, never the frames between. */
  settle(text) {
    const spoken = this.shadowRoot.querySelector(".spoken");
    if (spoken && text !== undefined && spoken.textContent !== text) spoken.textContent = text;
  }

  /** Settles once no frame came for a moment, for values that change without a motion. */
  settleSoon(text) {
    this.resting = text;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (performance.now() - this.drawn < 600) this.settleSoon(this.resting); else this.settle(this.resting);
    }, 700);
    this.drawn = performance.now();
  }
}

/** A small maker of elements: properties, `part`, `class` and children as text or nodes. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && typeof value !== "string" || name === "textContent") element[name] = value;
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** The same for SVG, whose names need their own namespace. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
