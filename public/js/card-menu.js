// The menu of a card: edits its resource, or copies its value, link or markup.
import { urlFor } from "./base-url.js";
import { fetchResource, pathOf, splitKey } from "./client.js";
import { copy } from "./clipboard.js";
import { make } from "./dom.js";
import { fillForm } from "./form-prefill.js";
import { translate } from "./i18n.js";

/** The address of a board with only this card.
 *  @param {string} key such as `ticker:revenue`
 *  @returns {string} */
function linkTo(key) {
  const url = new URL("./", document.baseURI);
  url.searchParams.set("cards", key);
  return url.href;
}

/** Markup that shows a resource on any page.
 *  @param {string} key
 *  @param {boolean} withScript whether the script tag comes first
 *  @returns {string} */
function embedCode(key, withScript = true) {
  const [kind, id] = splitKey(key);
  const tag = `<tween-${kind} src="${urlFor(pathOf(key))}">${id}</tween-${kind}>`;
  const script = `<script type="module" src="${urlFor("/embed.js")}"></script>`;
  return withScript ? `${script}\n${tag}` : tag;
}

/** The address of an overlay with only this resource, for streaming software.
 *  @param {string} key */
function overlayOf(key) {
  const [kind, id] = splitKey(key);
  const url = new URL(urlFor("/overlay"));
  url.searchParams.set(kind, id);
  return url.href;
}

const menu = /** @type {HTMLElement} */ (document.querySelector("#menu"));

/** @typedef {import("./card.js").Card} Card */

/** @type {[string, (card: Card) => string][]} */
const ITEMS = [
  ["Copy value", ({ data }) => data?.text ?? ""],
  ["Copy link", ({ key }) => linkTo(key)],
  ["Copy embed code", ({ key }) => embedCode(key)],
  ["Copy overlay link", ({ key }) => overlayOf(key)],
];

/** Fills the form with a card's resource.
 *  @param {Card} card */
async function edit({ key }) {
  menu.hidePopover();
  const resource = await fetchResource(key);
  if (resource) fillForm(key, resource);
}

/** Opens the menu of a card beside the button that was pressed; closing it returns the focus there.
 *  @param {Card} card
 *  @param {HTMLElement} button
 *  @returns {void} */
export function openCardMenu(card, button) {
  const items = ITEMS.map(([text, get]) => {
    const item = make("button", { click: () => copy(get(card), item) }, translate(text));
    return item;
  });
  const editing = make("button", { "data-writes": "", click: () => edit(card) }, translate("Edit"));
  menu.replaceChildren(editing, ...items);
  menu.showPopover();
  const { left, right, bottom, top } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isRightToLeft = document.documentElement.dir === "rtl";
  const x = isRightToLeft ? left : right - width;
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${bottom + height + 8 > innerHeight ? top - height - 4 : bottom + 4}px`;
  /** @type {HTMLElement} */ (menu.firstElementChild).focus();
}
