// What can be copied, from pages without TLS too: any text, and of a card its value, its link, and
// the markup that embeds it; beside that, the way to its form.
import { parts, pathOf, read } from "./client.js";
import { make } from "./tween-element.js";
import { addressOf } from "./base-url.js";
import { words } from "./i18n.js";

const SHOWN = 2000;

/** @type {WeakMap<HTMLElement, {text: string, timer: number}>} */
const said = new WeakMap();

/** Browsers give the clipboard to secure pages alone; a server in a LAN is none.
 *  @param {string} text
 *  @returns {Promise<boolean>} whether it is in the clipboard */
async function put(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = /** @type {HTMLTextAreaElement} */ (
      make("textarea", { class: "spoken", readonly: "" })
    );
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    area.value = text;
    // Outside of an open dialog nothing can be selected.
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.focus({ preventScroll: true });
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    before?.focus({ preventScroll: true });
    return isDone;
  }
}

/** Copies, and has the button say for two seconds what came of it.
 *  @param {string} text
 *  @param {HTMLElement} button
 *  @returns {Promise<void>} */
export async function copy(text, button) {
  const isDone = await put(text);
  const before = said.get(button);
  clearTimeout(before?.timer);
  const own = before?.text ?? button.textContent ?? "";
  button.textContent = words(isDone ? "Copied" : "Not copied");
  const timer = setTimeout(() => {
    button.textContent = own;
    said.delete(button);
  }, SHOWN);
  said.set(button, { text: own, timer });
}

/** The address of a board with this card alone.
 *  @param {string} key such as `ticker:revenue`
 *  @returns {string} */
function linkTo(key) {
  const url = new URL("./", document.baseURI);
  url.searchParams.set("cards", key);
  return url.href;
}

/** Markup that shows a resource on another page.
 *  @param {string} key
 *  @param {boolean} withScript whether the elements' script tag comes first
 *  @returns {string} */
function embedCode(key, withScript = true) {
  const [kind, id] = parts(key);
  const tag = `<tween-${kind} src="${addressOf(pathOf(key))}">${id}</tween-${kind}>`;
  const script = `<script type="module" src="${addressOf("/embed.js")}"></script>`;
  return withScript ? `${script}\n${tag}` : tag;
}

/** The address of a page with a resource and nothing else, for streaming software.
 *  @param {string} key */
function overlayOf(key) {
  const [kind, id] = parts(key);
  const url = new URL(addressOf("/overlay"));
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

/** Has the form show a card's resource.
 *  @param {Card} card */
async function edit({ key }) {
  menu.hidePopover();
  const [resource, later] = await Promise.all([read(key), import("./lazy.js")]);
  if (resource) later.edit(key, resource);
}

/** Opens the menu of a card beside the button that asked for it, which gets the focus back.
 *  @param {Card} card
 *  @param {HTMLElement} button
 *  @returns {void} */
export function openMenu(card, button) {
  const items = ITEMS.map(([text, get]) => {
    const item = make("button", { click: () => copy(get(card), item) }, words(text));
    return item;
  });
  const editing = make("button", { "data-writes": "", click: () => edit(card) }, words("Edit"));
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
