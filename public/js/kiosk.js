// Kiosk mode: the board ignores pointer and keyboard.
import { copy } from "./clipboard.js";

/** Milliseconds without movement after which the pointer is hidden. */
const HIDE_POINTER_AFTER = 3000;
/** The events that a board reacts to. */
const INPUT_EVENTS = ["pointerdown", "pointerup", "keydown", "click", "dblclick", "dragstart"];

/** Blocks all input except signing in.
 *  @returns {void} */
export function blockInput() {
  /** @type {number | undefined} */
  let resting;
  const rest = () => {
    delete document.body.dataset.pointing;
  };
  for (const name of INPUT_EVENTS) {
    addEventListener(name, (event) => {
      const { target } = event;
      if (target instanceof Element && target.closest(".signin")) return;
      event.stopImmediatePropagation();
      // A click would follow a link.
      if (name === "click") event.preventDefault();
    }, { capture: true });
  }
  addEventListener("pointermove", () => {
    document.body.dataset.pointing = "";
    clearTimeout(resting);
    resting = setTimeout(rest, HIDE_POINTER_AFTER);
  });
}

/** Copies the address of this board in kiosk mode.
 *  @param {HTMLElement} button
 *  @returns {Promise<void>} */
export function copyKioskLink(button) {
  const url = new URL(location.href);
  url.searchParams.set("kiosk", "1");
  return copy(url.href, button);
}
