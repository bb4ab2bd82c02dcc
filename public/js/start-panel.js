// The panel beside the board with the form that starts something: closed at first.
import { StartForm } from "./start-form.js";

const panel = /** @type {HTMLElement} */ (document.querySelector("aside"));
const form = /** @type {HTMLFormElement} */ (panel.querySelector("form"));
/** The element that had the focus before the panel opened.
 *  @type {HTMLElement | null} */
let previousFocus = null;

new StartForm(form, closeForm);
panel.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") closeForm();
});

/** Opens the panel.
 *  @returns {void} */
export function openForm() {
  if (panel.hidden) previousFocus = /** @type {HTMLElement | null} */ (document.activeElement);
  panel.hidden = false;
  panel.scrollIntoView({ block: "nearest" });
  form.querySelector("select")?.focus();
}

function closeForm() {
  panel.hidden = true;
  previousFocus?.focus();
}
