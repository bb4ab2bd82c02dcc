// Copies text, also on pages without TLS.
import { make } from "./dom.js";
import { translate } from "./i18n.js";

const FEEDBACK_TIME = 2000;

/** @type {WeakMap<HTMLElement, {text: string, timer: number}>} */
const feedback = new WeakMap();

/** Browsers offer the clipboard API only to secure pages, which a server in a LAN seldom has.
 *  @param {string} text
 *  @returns {Promise<boolean>} whether the text was copied */
async function writeClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = /** @type {HTMLTextAreaElement} */ (
      make("textarea", { class: "spoken", readonly: "" })
    );
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    area.value = text;
    // While a dialog is open, only text within it can be selected.
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.focus({ preventScroll: true });
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    before?.focus({ preventScroll: true });
    return isDone;
  }
}

/** Copies a text, and shows the result on the button for two seconds.
 *  @param {string} text
 *  @param {HTMLElement} button
 *  @returns {Promise<void>} */
export async function copy(text, button) {
  const isDone = await writeClipboard(text);
  const before = feedback.get(button);
  clearTimeout(before?.timer);
  const own = before?.text ?? button.textContent ?? "";
  button.textContent = translate(isDone ? "Copied" : "Not copied");
  const timer = setTimeout(() => {
    button.textContent = own;
    feedback.delete(button);
  }, FEEDBACK_TIME);
  feedback.set(button, { text: own, timer });
}
