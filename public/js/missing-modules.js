// Says that there is no connection where a part of the page that is loaded when it is first used doesn't come.
import { setText } from "./dom.js";
import { translate } from "./i18n.js";

const problem = /** @type {HTMLElement} */ (document.querySelector("#problem"));

addEventListener("unhandledrejection", ({ reason }) => {
  // Browsers word it differently, and all speak of a module.
  if (/module/.test(reason)) setText(problem, translate("No connection"));
});
