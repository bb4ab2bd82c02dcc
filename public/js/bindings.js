// Binds any element of a page to a resource: <h2 data-tween="…/v1/tickers/id">12</h2>.
import { BoundElement } from "./bound-element.js";
import { feedFrom } from "./feed.js";
import { dispatchFrame, dispatchServerEvent, localeOf, resourceOf } from "./resource.js";
import { Throttle } from "./throttle.js";

const ADDRESS = "data-tween";
/** Attributes whose change rebinds an element. */
const ATTRIBUTES = [ADDRESS, `${ADDRESS}-ticket`, `${ADDRESS}-locale`, `${ADDRESS}-pace`, `${ADDRESS}-when`];

/** Stale elements are greyed, unless the page's style sheet says otherwise. */
const STALE = ":where([data-tween-stale]) { opacity: .75; filter: grayscale(1) }";

/** Binds one element to its resource. */
class Binding {
  /** @type {string | undefined} */
  #address;
  /** The attributes of the present binding.
   *  @type {string | undefined} */
  #boundBy;
  /** @type {(() => void) | undefined} */
  #unsubscribe;
  #isEmpty = true;
  #element;
  #target;
  #throttle;

  /** @param {Element} element */
  constructor(element) {
    this.#element = element;
    this.#target = new BoundElement(element);
    this.#throttle = new Throttle(element, `${ADDRESS}-`, (data) => this.#show(data));
  }

  /** Rebinds the element if its attributes have changed. */
  update() {
    const boundBy = ATTRIBUTES.map((name) => this.#element.getAttribute(name)).join("\n");
    if (boundBy === this.#boundBy) return;
    this.stop();
    this.#boundBy = boundBy;
    const resource = resourceOf(this.#element.getAttribute(ADDRESS) ?? "");
    if (resource?.address !== this.#address) {
      this.#address = resource?.address;
      this.#target.restore();
      this.#isEmpty = true;
    }
    this.#target.setStale(resource ? null : "missing");
    if (resource) this.#listen(resource);
  }

  stop() {
    this.#unsubscribe?.();
    this.#throttle.stop();
  }

  /** @param {import("./resource.js").Resource} resource */
  #listen(resource) {
    const { server, key } = resource;
    this.#throttle.start(this.#element);
    const ticket = this.#element.getAttribute(`${ADDRESS}-ticket`) ?? undefined;
    this.#unsubscribe = feedFrom(server, ticket, localeOf(this.#element, `${ADDRESS}-locale`, resource)).listen(key, {
      frame: (data) => this.#throttle.receive(data),
      event: (data, _, name) => {
        if (!this.#isEmpty && data.reason !== "superseded") this.#throttle.settle();
        dispatchServerEvent(this.#element, data, name);
      },
      stale: (reason) => this.#target.setStale(reason),
    });
  }

  /** @param {any} data */
  #show(data) {
    this.#isEmpty = false;
    this.#target.write(data);
    dispatchFrame(this.#element, data);
  }
}

/** @typedef {Document | ShadowRoot} Root */

/** @type {Map<Element, Binding>} */
const bindings = new Map();
/** Observed roots, held weakly.
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
  // Elements that only moved stay bound. Changes below a shadow host aren't reported, so roots are searched again.
  if (isLess) for (const element of bindings.keys()) if (!element.isConnected) bind(element);
  if (isMore) for (const root of observedRoots()) if (root !== document) bindAll(root);
});

function observedRoots() {
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
    own.update();
  } else if (binding) {
    binding.stop();
    bindings.delete(element);
    element.removeAttribute("data-tween-stale");
  }
}

/** @param {Root} root */
const observeRoot = (root) =>
  observer.observe(root, { subtree: true, childList: true, attributeFilter: ATTRIBUTES });

/**
 * Binds the elements with `data-tween` in a root, and those added to it later. The document is observed from the
 * start; a shadow root only when it is passed here.
 * @param {Document | ShadowRoot} root
 * @returns {() => void} stops observing
 */
export function observe(root) {
  if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(STALE);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  if (!observedRoots().includes(root)) roots.add(new WeakRef(root));
  observeRoot(root);
  bindAll(root);
  return () => {
    for (const reference of roots) if (reference.deref() === root) roots.delete(reference);
    // A MutationObserver can only stop observing all roots at once.
    observer.disconnect();
    for (const other of observedRoots()) observeRoot(other);
    for (const [element, binding] of bindings) {
      if (element.getRootNode() !== root) continue;
      binding.stop();
      bindings.delete(element);
    }
  };
}
