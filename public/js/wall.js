// The wall: all cards on one screen without scrolling, or on several pages if they don't fit.
import { setText } from "./dom.js";
import { translate } from "./i18n.js";
import { copyKioskLink } from "./kiosk.js";

/** The aspect ratio of a card that is easiest to read. */
const ASPECT = 1.9;
/** The size in pixels below which a card can't be read; it limits the cards of a page. */
const MIN_CARD = { width: 150, height: 72 };
/** Pixels around the wall and between its cards; `board.css` repeats it. */
const GAP = 8;

/** The columns and rows that make cards largest.
 *  @param {number} count
 *  @param {number} width pixels
 *  @param {number} height pixels
 *  @returns {{columns: number, rows: number, pages: number}} */
export function gridFor(count, width, height) {
  const [across, down] = [width / MIN_CARD.width, height / MIN_CARD.height].map(
    (fit) => Math.max(1, Math.floor(fit))
  );
  const pages = Math.max(1, Math.ceil(count / (across * down)));
  const each = Math.max(1, Math.ceil(count / pages));
  let best = { columns: 1, rows: each, size: 0 };
  for (let columns = 1; columns <= Math.min(each, across); columns++) {
    const rows = Math.ceil(each / columns);
    if (rows > down) continue;
    // The largest card of the right shape that fits into a cell.
    const size = Math.min(width / columns / ASPECT, height / rows);
    if (size > best.size) best = { columns, rows, size };
  }
  return { columns: best.columns, rows: best.rows, pages };
}

export class Wall {
  #page = 0;
  #board;
  #view;
  #bar;
  #header;
  /** @type {number | undefined} */
  #hideTimer;
  #pages = 1;
  #each = 1;
  /** @type {number | undefined} */
  #pageTimer;
  /** @type {WakeLockSentinel | undefined} */
  #lock;

  /** @param {import("./board.js").Board} board
   *  @param {() => import("./url-state.js").View} view
   *  @param {() => void} leave */
  constructor(board, view, leave) {
    this.#board = board;
    this.#view = view;
    this.#bar = /** @type {HTMLElement} */ (document.querySelector("#wall"));
    this.#header = /** @type {HTMLElement} */ (document.querySelector(".bar"));
    this.#bar.addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLButtonElement} */ (target);
      if (button.name === "leave") leave();
      else if (button.name === "full") this.#toggleFullscreen();
      else if (button.name === "kiosk") copyKioskLink(button);
    });
    board.addEventListener("arranged", () => this.#layOut());
    addEventListener("resize", () => this.#layOut());
    // The header shows while the connection is lost, and takes its height from the wall, as does the strip below.
    const resized = new ResizeObserver(() => this.#layOut());
    for (const part of [this.#header, this.#bar]) resized.observe(part);
    document.addEventListener("visibilitychange", () => this.#keepScreenOn());
    addEventListener("keydown", (event) => {
      const isFree = !event.defaultPrevented && !document.querySelector(
        "dialog[open], :popover-open"
      );
      if (event.key === "Escape" && this.#isOn && isFree) leave();
    });
    addEventListener("pointermove", () => this.#showButtons());
    addEventListener("focusin", () => this.#showButtons());
  }

  get #isOn() {
    return document.body.dataset.layout === "wall";
  }

  /** Shows the wall's buttons for a moment. */
  #showButtons() {
    if (!this.#isOn) return;
    this.#bar.classList.add("shown");
    clearTimeout(this.#hideTimer);
    this.#hideTimer = setTimeout(() => this.#bar.classList.remove("shown"), 3000);
  }

  /** Lays the cards out as a wall, or returns them to the page. */
  #layOut() {
    const { shown, element } = this.#board;
    const wasOn = !this.#bar.hidden;
    this.#bar.hidden = !this.#isOn;
    if (!this.#isOn) {
      if (wasOn) this.#end();
      return;
    }
    const top = this.#header.offsetHeight;
    const bottom = this.#bar.offsetHeight;
    const height = innerHeight - top - bottom - GAP;
    const { columns, rows, pages } = gridFor(shown.length, innerWidth - GAP, height);
    element.style.setProperty("--top", `${top}px`);
    element.style.setProperty("--bottom", `${bottom}px`);
    element.style.setProperty("--columns", `${columns}`);
    element.style.setProperty("--rows", `${rows}`);
    this.#pages = pages;
    this.#each = columns * rows;
    this.#showPage(Math.min(this.#page, pages - 1));
    this.#keepScreenOn();
    clearInterval(this.#pageTimer);
    if (pages > 1) this.#pageTimer = setInterval(
      () => this.#showPage((this.#page + 1) % pages), this.#view().rotate * 1000
    );
  }

  /** @param {number} page */
  #showPage(page) {
    const each = this.#each;
    const pages = this.#pages;
    this.#page = page;
    this.#board.shown.forEach(
      ({ element }, i) => element.classList.toggle("aside", Math.floor(i / each) !== page)
    );
    setText(
      /** @type {Element} */ (this.#bar.firstElementChild),
      pages > 1 ? translate("Page {page} of {pages}", { page: page + 1, pages }) : ""
    );
  }

  #end() {
    clearInterval(this.#pageTimer);
    for (const { element } of this.#board.cards.values()) element.classList.remove("aside");
    this.#lock?.release().catch(() => {});
    this.#lock = undefined;
    if (document.fullscreenElement) document.exitFullscreen();
  }

  /** Keeps the screen on, in browsers and on pages (with TLS) that offer a wake lock. */
  async #keepScreenOn() {
    if (!this.#isOn || document.hidden || (this.#lock && !this.#lock.released)) return;
    this.#lock = await navigator.wakeLock?.request("screen").catch(() => undefined);
  }

  #toggleFullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => {});
  }
}
