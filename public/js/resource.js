// The resource that an element shows: what its address names, and the events that the element fires.

import { BASE_URL, urlFor } from "./base-url.js";

/**
 * @typedef {object} Resource
 * @property {string} server the root of its server, with a slash at the end
 * @property {string} address
 * @property {string} key such as `ticker:revenue`
 * @property {string | null} locale the `locale` parameter of the address
 *
 * @typedef {import("./feed.js").Staleness} Staleness
 */

const ID = /^[\w.~:-]{1,128}$/;
const ADDRESS = /^(.*\/)v1\/(tickers|progress|schedules)\/([^/]+)$/;
/** @type {Record<string, string>} */
const KINDS = { tickers: "ticker", progress: "progress", schedules: "schedule" };

/**
 * The resource that an address names; undefined if it names none.
 * @param {string} address
 * @returns {Resource | undefined}
 */
export function resourceOf(address) {
  const url = urlOf(address);
  const [, root, list, name] = ADDRESS.exec(url?.pathname ?? "") ?? [];
  const id = name && decoded(name);
  if (url && id && ID.test(id)) {
    const { origin, pathname, searchParams } = url;
    warnIfElsewhere(address, url);
    return {
      server: origin + root, address: origin + pathname, key: `${KINDS[list]}:${id}`, locale: searchParams.get("locale"),
    };
  }
  console.warn(`"${address}" names no resource`);
  return undefined;
}

let hasWarned = false;

/** Warns once of an address that names this page's server, while the scripts are another's.
 *  @param {string} address
 *  @param {URL} url what it names here */
function warnIfElsewhere(address, { origin }) {
  if (hasWarned || origin === new URL(BASE_URL).origin || /^\s*(\w+:|\/\/)/.test(address)) return;
  hasWarned = true;
  console.warn(`"${address}" is on ${origin}. On the server of embed.js it is "${urlFor(address)}".`);
}

/**
 * The locale in which an element asks for texts: that of its attribute, else of its address; the page's language if
 * that is empty. Undefined: as they were posted.
 * @param {Element} element
 * @param {string} attribute
 * @param {Resource} resource
 * @returns {string | undefined}
 */
export function localeOf(element, attribute, { locale }) {
  const asked = element.getAttribute(attribute) ?? locale;
  if (asked !== "") return asked ?? undefined;
  return element.closest("[lang]")?.getAttribute("lang") || undefined;
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
 * Marks an element as stale or current.
 * @param {Element} element
 * @param {string} attribute
 * @param {Staleness | null} reason null: what is shown is current
 * @returns {boolean} whether that changed anything
 */
export function setStale(element, attribute, reason) {
  if (element.getAttribute(attribute) === reason) return false;
  if (reason) element.setAttribute(attribute, reason);
  else element.removeAttribute(attribute);
  element.dispatchEvent(new CustomEvent(reason ? "stale" : "connected", { detail: { reason } }));
  return true;
}

/**
 * @param {Element} element
 * @param {any} data what the element shows
 */
export function dispatchFrame(element, { value, text, fraction, percent }) {
  const detail = { value, text, fraction, percent };
  element.dispatchEvent(new CustomEvent("tweenframe", { detail }));
}

/**
 * Fires a server's event as a DOM event of the same name.
 * @param {Element} element
 * @param {any} detail
 * @param {string} name
 */
export function dispatchServerEvent(element, detail, name) {
  element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
