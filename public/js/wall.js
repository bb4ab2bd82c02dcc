// The wall: all cards that are shown on one screen, without scrolling; by pages where they don't
// fit.
import { write } from "./tween-element.js";
import { words } from "./i18n.js";

/** Width of a card by its height that reads best. */
const ASPECT = 1.9;
/** Pixels below which a card can't be read, and so the most that a page of a wall has. */
const LEAST = { width: 150, height: 72 };
/** Pixels round the wall and between its cards; `board.css` has them too. */
const GAP = 8;

/** Columns and rows that show a number of cards as large as may be on a screen.
 *  @param {number} count
 *  @param {number} width pixels
 *  @param {number} height pixels
 *  @returns {{columns: number, rows: number, pages: number}} of one page */
export function gridFor(count, width, height) {
  const [across, down] = [width / LEAST.width, height / LEAST.height].map(
    (fit) => Math.max(1, Math.floor(fit))
  );
  const pages = Math.max(1, Math.ceil(count / (across * down)));
  const each = Math.max(1, Math.ceil(count / pages));
  let best = { columns: 1, rows: each, size: 0 };
  for (let columns = 1; columns <= Math.min(each, across); columns++) {
    const rows = Math.ceil(each / columns);
    if (rows > down) continue;
    // What counts is how large a card of the right shape is within the cell.
    const size = Math.min(width / columns / ASPECT, height / rows);
    if (size > best.size) best = { columns, rows, size };
  }
  return { columns: best.columns, rows: best.rows, pages };
}

export class Wall {
  page = 0;

  /** @param {import("./board.js").Board} board
   *  @param {() => import("./url-state.js").View} view
   *  @param {() => void} leave */
  constructor(board, view, leave) {
    this.board = board;
    this.view = view;
    this.bar = /** @type {HTMLElement} */ (document.querySelector("#wall"));
    this.header = /** @type {HTMLElement} */ (document.querySelector(".bar"));
    this.bar.addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLButtonElement} */ (target);
      if (button.name === "leave") leave();
      else if (button.name === "full") this.fill();
      else if (button.name === "kiosk") {
        import("./lazy.js").then(({ copyLink }) => copyLink(button));
      }
    });
    board.addEventListener("arranged", () => this.lay());
    addEventListener("resize", () => this.lay());
    // It comes when the connection goes, and has its own room then; so has what is below.
    const resized = new ResizeObserver(() => this.lay());
    for (const part of [this.header, this.bar]) resized.observe(part);
    document.addEventListener("visibilitychange", () => this.stayAwake());
    addEventListener("keydown", (event) => {
      const isFree = !event.defaultPrevented && !document.querySelector(
        "dialog[open], :popover-open"
      );
      if (event.key === "Escape" && this.isOn && isFree) leave();
    });
    addEventListener("pointermove", () => this.show());
    addEventListener("focusin", () => this.show());
  }

  get isOn() {
    return document.body.dataset.layout === "wall";
  }

  /** Shows its buttons for a moment, in the strip that is left for them. */
  show() {
    if (!this.isOn) return;
    this.bar.classList.add("shown");
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => this.bar.classList.remove("shown"), 3000);
  }

  /** Lays the cards out anew, or back into the page. */
  lay() {
    const { shown, element } = this.board;
    const wasOn = !this.bar.hidden;
    this.bar.hidden = !this.isOn;
    if (!this.isOn) {
      if (wasOn) this.end();
      return;
    }
    const top = this.header.offsetHeight;
    const bottom = this.bar.offsetHeight;
    const height = innerHeight - top - bottom - GAP;
    const { columns, rows, pages } = gridFor(shown.length, innerWidth - GAP, height);
    element.style.setProperty("--top", `${top}px`);
    element.style.setProperty("--bottom", `${bottom}px`);
    element.style.setProperty("--columns", `${columns}`);
    element.style.setProperty("--rows", `${rows}`);
    this.pages = pages;
    this.each = columns * rows;
    this.turn(Math.min(this.page, pages - 1));
    this.stayAwake();
    clearInterval(this.turning);
    if (pages > 1) this.turning = setInterval(
      () => this.turn((this.page + 1) % pages), this.view().rotate * 1000
    );
  }

  /** @param {number} page */
  turn(page) {
    const { each = 1, pages = 1 } = this;
    this.page = page;
    this.board.shown.forEach(
      ({ element }, i) => element.classList.toggle("aside", Math.floor(i / each) !== page)
    );
    write(
      /** @type {Element} */ (this.bar.firstElementChild),
      pages > 1 ? words("Page {page} of {pages}", { page: page + 1, pages }) : ""
    );
  }

  end() {
    clearInterval(this.turning);
    for (const { element } of this.board.cards.values()) element.classList.remove("aside");
    this.lock?.release().catch(() => {});
    this.lock = undefined;
    if (document.fullscreenElement) document.exitFullscreen();
  }

  /** Keeps the screen on; browsers without a wake lock, and pages without TLS, have none to
   *  give. */
  async stayAwake() {
    if (!this.isOn || document.hidden || (this.lock && !this.lock.released)) return;
    this.lock = await navigator.wakeLock?.request("screen").catch(() => undefined);
  }

  fill() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => {});
  }
}
