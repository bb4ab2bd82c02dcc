// A board that is looked at and not touched: nothing that a hand or a key does reaches it.
import { copy } from "./clipboard.js";

/** Milliseconds after which a pointer that rests isn't seen. */
const RESTING = 3000;
/** What a board reacts to. */
const ACTS = ["pointerdown", "pointerup", "keydown", "click", "dblclick", "dragstart"];

/** Keeps everything from the board but what is for signing in.
 *  @returns {void} */
export function guard() {
  /** @type {number | undefined} */
  let resting;
  const rest = () => {
    delete document.body.dataset.pointing;
  };
  for (const name of ACTS) {
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
    resting = setTimeout(rest, RESTING);
  });
}

/** Copies the address of this board as one that isn't touched.
 *  @param {HTMLElement} button
 *  @returns {Promise<void>} */
export function copyLink(button) {
  const url = new URL(location.href);
  url.searchParams.set("kiosk", "1");
  return copy(url.href, button);
}
