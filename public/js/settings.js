// What a reader prefers, kept by the browser: theme, language, what is spoken, the inspector's key.
// And a dialog that asks.
import { write } from "./tween-element.js";
import { words } from "./i18n.js";

const NAME = "tweencast.settings";

/** @typedef {{
 *    theme: "" | "light" | "dark", lang: string, spoken: boolean, key: string,
 *  }} Settings */

/** @returns {Settings} */
function load() {
  const usual = { theme: /** @type {const} */ (""), lang: "", spoken: true, key: "i" };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return usual;
  }
}

/** @type {Settings} */
export const settings = load();

/** Opens with a button, and takes each change at once.
 *  @param {HTMLElement} button
 *  @returns {void} */
export function offerSettings(button) {
  const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("#preferences"));
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  const { theme, lang, spoken, key } = /** @type {any} */ (form.elements);
  theme.value = settings.theme;
  lang.value = settings.lang;
  spoken.checked = settings.spoken;
  key.value = settings.key;
  apply();
  button.addEventListener("click", () => dialog.showModal());
  form.addEventListener("input", ({ target }) => {
    Object.assign(
      settings,
      { theme: theme.value, lang: lang.value, spoken: spoken.checked, key: key.value.toLowerCase() }
    );
    localStorage.setItem(NAME, JSON.stringify(settings));
    apply();
    // Words are in their places from the start on.
    if (target === lang) location.reload();
  });
}

function apply() {
  document.documentElement.dataset.theme = settings.theme;
  const inspect = document.querySelector("#inspect");
  if (settings.key) inspect?.setAttribute("aria-keyshortcuts", settings.key);
  else inspect?.removeAttribute("aria-keyshortcuts");
  inspect?.setAttribute(
    "title", settings.key ? words("Key {key}", { key: settings.key.toUpperCase() }) : ""
  );
}

const asking = /** @type {HTMLDialogElement} */ (document.querySelector("#ask"));

/** Shows a question in a dialog, which keeps the focus until it is answered; Escape means no.
 *  @param {string} question
 *  @param {string} verb what the button says that does it
 *  @returns {Promise<boolean>} whether to do it */
export function ask(question, verb) {
  write(/** @type {Element} */ (asking.querySelector("#question")), question);
  write(/** @type {Element} */ (asking.querySelector("[value=yes]")), words(verb));
  asking.returnValue = "no";
  asking.showModal();
  return new Promise((answer) => {
    asking.addEventListener("close", () => answer(asking.returnValue === "yes"), { once: true });
  });
}
