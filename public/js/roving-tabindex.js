// Keyboard navigation of the board: one tab stop for all cards, arrow keys move between them, Enter opens the tools.
import { nearestInNextRow } from "./row-navigation.js";

const TOOLS = ".tools :is(button, input)";

export class RovingTabindex {
  /** The card that is the tab stop.
   *  @type {import("./card.js").Card | undefined} */
  #current;
  #board;
  #marquee;

  /** @param {import("./board.js").Board} board
   *  @param {import("./marquee.js").TweenMarquee} marquee */
  constructor(board, marquee) {
    this.#board = board;
    this.#marquee = marquee;
    board.addEventListener("arranged", () => this.#ensureCurrent());
    board.element.addEventListener("keydown", (event) => this.#key(event));
    board.element.addEventListener("focusin", ({ target }) => {
      const card = this.#cardOf(target);
      if (card) this.#setCurrent(card);
    });
    board.element.addEventListener("focusout", ({ target, relatedTarget }) => {
      const card = this.#cardOf(target);
      const isInside = relatedTarget instanceof Node && card?.element.contains(relatedTarget);
      if (card && !isInside && !document.querySelector(":popover-open")) this.#close(card);
    });
  }

  /** @param {EventTarget | null} target */
  #cardOf(target) {
    const element = target instanceof Element ? target.closest(".card") : null;
    return this.#board.cards.get(/** @type {HTMLElement | null} */ (element)?.dataset.key ?? "");
  }

  /** Keeps one card as the tab stop. */
  #ensureCurrent() {
    const { shown } = this.#board;
    if (!this.#current || !shown.includes(this.#current)) this.#setCurrent(shown[0]);
  }

  /** @param {import("./card.js").Card | undefined} card */
  #setCurrent(card) {
    if (this.#current === card) return;
    if (this.#current) this.#current.element.tabIndex = -1;
    this.#current = card;
    if (card) card.element.tabIndex = 0;
  }

  /** @param {import("./card.js").Card} card */
  #open(card) {
    card.element.classList.add("open");
    const tools = [...card.element.querySelectorAll(TOOLS)];
    for (const tool of tools) /** @type {HTMLElement} */ (tool).tabIndex = 0;
    const first = tools.find((tool) => tool.checkVisibility() && !tool.matches(":disabled"));
    /** @type {HTMLElement | undefined} */ (first)?.focus();
  }

  /** @param {import("./card.js").Card} card */
  #close(card) {
    card.element.classList.remove("open");
    for (const tool of card.element.querySelectorAll(TOOLS)) {
      /** @type {HTMLElement} */ (tool).tabIndex = -1;
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const card = this.#cardOf(event.target);
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnCard = event.target === card.element;
    if (event.key === "Escape" && !isOnCard) {
      event.preventDefault();
      card.element.focus();
      this.#close(card);
    } else if (isOnCard && this.#act(event.key, card)) event.preventDefault();
  }

  /** @param {string} key
   *  @param {import("./card.js").Card} card
   *  @returns {boolean} whether the key did something */
  #act(key, card) {
    const { shown } = this.#board;
    const at = shown.indexOf(card);
    const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (key === "Enter") this.#open(card);
    else if (key === " ") this.#marquee.toggle(card.key);
    else if (key === "Home") this.#go(shown[0]);
    else if (key === "End") this.#go(shown.at(-1));
    else if (key === "ArrowUp" || key === "ArrowDown") this.#go(
      this.#inNextRow(card, key === "ArrowDown")
    );
    else if (key === "ArrowLeft" || key === "ArrowRight") this.#go(
      shown[at + (key === forward ? 1 : -1)]
    );
    else return false;
    return true;
  }

  /** The nearest card in the next row, below or above.
   *  @param {import("./card.js").Card} card
   *  @param {boolean} isBelow */
  #inNextRow(card, isBelow) {
    const elements = this.#board.shown.map(({ element }) => element);
    return this.#cardOf(nearestInNextRow(card.element, elements, isBelow) ?? null);
  }

  /** @param {import("./card.js").Card | undefined} card */
  #go(card) {
    card?.element.focus();
  }
}
