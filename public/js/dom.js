// Creating and updating elements.

/**
 * Creates an HTML or SVG element with attributes, listeners (functions) and children.
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
 * An SVG drawing of elements, or of paths given by their data.
 * @param {string} viewBox
 * @param {...(Node | string)} parts
 */
export const svg = (viewBox, ...parts) =>
  make(
    "svg",
    { viewBox, "aria-hidden": true },
    ...parts.map((part) => (typeof part === "string" ? make("path", { d: part }) : part)),
  );

/**
 * @param {Node} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
