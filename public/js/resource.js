// A resource that an element of a page follows: what its address names, and what the element tells
// of it.

/**
 * @typedef {object} Resource
 * @property {string} server the root of its server, with a slash at the end
 * @property {string} address
 * @property {string} key such as `ticker:revenue`
 *
 * @typedef {import("./feed.js").Staleness} Staleness
 */

const ID = /^[\w.~:-]{1,128}$/;
const ADDRESS = /^(.*\/)v1\/(tickers|progress|schedules)\/([^/]+)$/;
/** @type {Record<string, string>} */
const KINDS = { tickers: "ticker", progress: "progress", schedules: "schedule" };

/**
 * What an address names; undefined where it is no resource's.
 * @param {string} address
 * @returns {Resource | undefined}
 */
export function resourceOf(address) {
  const url = urlOf(address);
  const [, root, list, name] = ADDRESS.exec(url?.pathname ?? "") ?? [];
  const id = name && decoded(name);
  if (url && id && ID.test(id)) {
    const { origin, pathname } = url;
    return { server: origin + root, address: origin + pathname, key: `${KINDS[list]}:${id}` };
  }
  console.warn(`"${address}" names no resource`);
  return undefined;
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

/**
 * Says on an element whether what it shows is so.
 * @param {Element} element
 * @param {string} attribute
 * @param {Staleness | null} reason nil: what is shown is so
 * @returns {boolean} whether that is new
 */
export function tellStale(element, attribute, reason) {
  if (element.getAttribute(attribute) === reason) return false;
  if (reason) element.setAttribute(attribute, reason);
  else element.removeAttribute(attribute);
  element.dispatchEvent(new CustomEvent(reason ? "stale" : "connected", { detail: { reason } }));
  return true;
}

/**
 * @param {Element} element
 * @param {any} data what it shows now
 */
export function tellFrame(element, { value, text, fraction, percent }) {
  const detail = { value, text, fraction, percent };
  element.dispatchEvent(new CustomEvent("tweenframe", { detail }));
}

/**
 * The server's events are DOM events of the same names.
 * @param {Element} element
 * @param {any} detail
 * @param {string} name
 */
export function tellEvent(element, detail, name) {
  element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
