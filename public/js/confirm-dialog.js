// A dialog that asks for confirmation.
import { setText } from "./dom.js";
import { translate } from "./i18n.js";

const asking = /** @type {HTMLDialogElement} */ (document.querySelector("#ask"));

/** Asks a question in a modal dialog; Escape means no.
 *  @param {string} question
 *  @param {string} verb the label of the button that confirms
 *  @returns {Promise<boolean>} whether the user confirmed */
export function confirmAction(question, verb) {
  setText(/** @type {Element} */ (asking.querySelector("#question")), question);
  setText(/** @type {Element} */ (asking.querySelector("[value=yes]")), translate(verb));
  asking.returnValue = "no";
  asking.showModal();
  return new Promise((answer) => {
    asking.addEventListener("close", () => answer(asking.returnValue === "yes"), { once: true });
  });
}
