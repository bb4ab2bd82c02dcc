// Copies text, on pages without TLS too, and says so where it was asked for.
import { make } from "./element.js";
import { words } from "./words.js";

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
    const area = /** @type {HTMLTextAreaElement} */ (make("textarea", { class: "spoken", readonly: "" }));
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
