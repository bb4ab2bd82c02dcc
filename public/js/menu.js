// What can be copied of a card, in one menu for all of them.
import { copy } from "./copying.js";
import { make } from "./element.js";
import { embedCode, linkTo } from "./links.js";
import { words } from "./words.js";

const menu = /** @type {HTMLElement} */ (document.querySelector("#menu"));

/** @typedef {import("./card.js").Card} Card */

/** @type {[string, (card: Card) => string][]} */
const ITEMS = [
  ["Copy value", ({ data }) => data?.text ?? ""],
  ["Copy link", ({ key }) => linkTo(key)],
  ["Copy embed code", ({ key }) => embedCode(key)],
];

/** Opens the menu of a card beside the button that asked for it, which gets the focus back.
 *  @param {Card} card
 *  @param {HTMLElement} button
 *  @returns {void} */
export function openMenu(card, button) {
  menu.replaceChildren(...ITEMS.map(([text, get]) => {
    const item = make("button", { click: () => copy(get(card), item) }, words(text));
    return item;
  }));
  menu.showPopover();
  const { left, right, bottom, top } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isRightToLeft = document.documentElement.dir === "rtl";
  const x = isRightToLeft ? left : right - width;
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${bottom + height + 8 > innerHeight ? top - height - 4 : bottom + 4}px`;
  /** @type {HTMLElement} */ (menu.firstElementChild).focus();
}
