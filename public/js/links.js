// What leads to a resource from elsewhere.
import { parts, pathOf } from "./client.js";

/** The address of a board with this card alone.
 *  @param {string} key such as `ticker:revenue`
 *  @returns {string} */
export function linkTo(key) {
  const url = new URL("./", document.baseURI);
  url.searchParams.set("cards", key);
  return url.href;
}

/** Markup that shows a resource on another page.
 *  @param {string} key
 *  @param {boolean} withScript whether the elements' script tag comes first
 *  @returns {string} */
export function embedCode(key, withScript = true) {
  const [kind, id] = parts(key);
  const tag = `<tween-${kind} src="${location.origin}${pathOf(key)}">${id}</tween-${kind}>`;
  return withScript ? `<script type="module" src="${location.origin}/embed.js"></script>\n${tag}` : tag;
}
