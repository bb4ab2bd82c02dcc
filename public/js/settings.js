// The user's settings, stored by the browser: theme, language, announcements, the inspector's key.
import { translate } from "./i18n.js";

const NAME = "tweencast.settings";

/** @typedef {{
 *    theme: "" | "light" | "dark", lang: string, spoken: boolean, key: string,
 *  }} Settings */

/** @returns {Settings} */
function load() {
  const defaults = { theme: /** @type {const} */ (""), lang: "", spoken: true, key: "i" };
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return defaults;
  }
}

/** @type {Settings} */
export const settings = load();

/** Opens the dialog with a button, and applies each change at once.
 *  @param {HTMLElement} button
 *  @returns {void} */
export function setUpSettings(button) {
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
    // Texts are translated only when a page is loaded.
    if (target === lang) location.reload();
  });
}

function apply() {
  document.documentElement.dataset.theme = settings.theme;
  const inspect = document.querySelector("#inspect");
  if (settings.key) inspect?.setAttribute("aria-keyshortcuts", settings.key);
  else inspect?.removeAttribute("aria-keyshortcuts");
  inspect?.setAttribute(
    "title", settings.key ? translate("Key {key}", { key: settings.key.toUpperCase() }) : ""
  );
}
