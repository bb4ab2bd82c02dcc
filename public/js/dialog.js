// Asks before something is done that can't be undone.
import { write } from "./element.js";
import { words } from "./words.js";

const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("#ask"));

/** Shows a question in a dialog, which keeps the focus until it is answered; Escape means no.
 *  @param {string} question
 *  @param {string} verb what the button says that does it
 *  @returns {Promise<boolean>} whether to do it */
export function ask(question, verb) {
  write(dialog.querySelector("#question"), question);
  write(dialog.querySelector("[value=yes]"), words(verb));
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true });
  });
}
