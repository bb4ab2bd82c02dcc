// Any element of a page may show a resource: <h2 data-tween="…/v1/tickers/id">12</h2>.
import { feedFrom } from "./feed.js";
import { Gate } from "./throttle.js";
import { Outlet } from "./bound-element.js";
import { resourceOf, tellEvent, tellFrame } from "./resource.js";

const ADDRESS = "data-tween";
/** All that an element is bound by. */
const ATTRIBUTES = [ADDRESS, `${ADDRESS}-ticket`, `${ADDRESS}-pace`, `${ADDRESS}-when`];

/** Greyed, as long as the page says nothing else. */
const STALE = ":where([data-tween-stale]) { opacity: .55; filter: grayscale(1) }";

/** One element and what it shows. */
class Binding {
  /** @type {string | undefined} */
  #key;
  /** What it was bound by when it was last looked at.
   *  @type {string | undefined} */
  #wish;
  /** @type {(() => void) | undefined} */
  #leave;
  #isEmpty = true;
  #element;
  #outlet;
  #gate;

  /** @param {Element} element */
  constructor(element) {
    this.#element = element;
    this.#outlet = new Outlet(element);
    this.#gate = new Gate(element, `${ADDRESS}-`, (data) => this.#show(data));
  }

  /** Shows what the element's attributes say now. */
  follow() {
    const wish = ATTRIBUTES.map((name) => this.#element.getAttribute(name)).join("\n");
    if (wish === this.#wish) return;
    this.leave();
    this.#wish = wish;
    const resource = resourceOf(this.#element.getAttribute(ADDRESS) ?? "");
    if (resource?.key !== this.#key) {
      this.#key = resource?.key;
      this.#outlet.empty();
      this.#isEmpty = true;
    }
    this.#outlet.tellStale(resource ? null : "missing");
    if (resource) this.#listen(resource);
  }

  leave() {
    this.#leave?.();
    this.#gate.end();
  }

  /** @param {import("./resource.js").Resource} resource */
  #listen({ server, key }) {
    this.#gate.begin(this.#element);
    const giver = this.#element.getAttribute(`${ADDRESS}-ticket`) ?? undefined;
    this.#leave = feedFrom(server, giver).listen(key, {
      frame: (data) => this.#gate.take(data),
      event: (data, _, name) => {
        if (!this.#isEmpty && data.reason !== "superseded") this.#gate.settle();
        tellEvent(this.#element, data, name);
      },
      stale: (reason) => this.#outlet.tellStale(reason),
    });
  }

  /** @param {any} data */
  #show(data) {
    this.#isEmpty = false;
    this.#outlet.write(data);
    tellFrame(this.#element, data);
  }
}

/** @typedef {Document | ShadowRoot} Root */

/** @type {Map<Element, Binding>} */
const bindings = new Map();
/** What is watched, without keeping it alive.
 *  @type {Set<WeakRef<Root>>} */
const roots = new Set();
/** @type {CSSStyleSheet | undefined} */
let sheet;

const observer = new MutationObserver((records) => {
  let isLess = false;
  let isMore = false;
  for (const { type, target, addedNodes, removedNodes } of records) {
    if (type === "attributes") bind(/** @type {Element} */ (target));
    isLess ||= [...removedNodes].some((node) => node instanceof Element);
    for (const node of addedNodes) {
      if (!(node instanceof Element)) continue;
      isMore = true;
      bind(node);
      bindAll(node);
    }
  }
  // What has moved is bound still; what a root lost with its host, or comes with it, nobody tells.
  if (isLess) for (const element of bindings.keys()) if (!element.isConnected) bind(element);
  if (isMore) for (const root of known()) if (root !== document) bindAll(root);
});

function known() {
  const all = [];
  for (const reference of roots) {
    const root = reference.deref();
    if (root) all.push(root);
    else roots.delete(reference);
  }
  return all;
}

/** @param {Element | Root} place */
function bindAll(place) {
  for (const element of place.querySelectorAll(`[${ADDRESS}]`)) bind(element);
}

/** @param {Element} element */
function bind(element) {
  const binding = bindings.get(element);
  if (element.isConnected && element.hasAttribute(ADDRESS)) {
    const own = binding ?? new Binding(element);
    bindings.set(element, own);
    own.follow();
  } else if (binding) {
    binding.leave();
    bindings.delete(element);
    element.removeAttribute("data-tween-stale");
  }
}

/** @param {Root} root */
const watch = (root) =>
  observer.observe(root, { subtree: true, childList: true, attributeFilter: ATTRIBUTES });

/**
 * Has elements with `data-tween` show what that names: those that are there, come, go or change.
 * The page itself is observed already; of shadow roots only those that are open to it.
 * @param {Document | ShadowRoot} root
 * @returns {() => void} what ends it
 */
export function observe(root) {
  if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(STALE);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  if (!known().includes(root)) roots.add(new WeakRef(root));
  watch(root);
  bindAll(root);
  return () => {
    for (const reference of roots) if (reference.deref() === root) roots.delete(reference);
    // An observer lets go of all at once.
    observer.disconnect();
    for (const other of known()) watch(other);
    for (const [element, binding] of bindings) {
      if (element.getRootNode() !== root) continue;
      binding.leave();
      bindings.delete(element);
    }
  };
}
