// The page about embedding: its code names this server.
import { embedCode } from "./links.js";
import { copy } from "./copying.js";

const code = ["ticker:revenue", "progress:build", "schedule:tea"].map((key, i) => embedCode(key, i === 0)).join("\n");

/** @type {HTMLElement} */ (document.querySelector("#code")).textContent = code;
const button = /** @type {HTMLButtonElement} */ (document.querySelector("#copy"));
button.addEventListener("click", () => copy(code, button));
