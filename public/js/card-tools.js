// A card's tools: a slider to seek, buttons for playback, and the menu.
import { pathOf, send } from "./client.js";
import { confirmAction } from "./confirm-dialog.js";
import { make, svg } from "./dom.js";
import { feedFrom } from "./feed.js";
import { translate } from "./i18n.js";

/** The icon of each tool.
 *  @type {Record<string, string>} */
const ICONS = {
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  resume: "M4 2v12l9-6z",
  finish: "M2 3v10l7-5zM10 3h3v10h-3z",
  cancel: "M4 4h8v8H4z",
  delete: "m4 3 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z",
  more: "M2 7h3v3H2zM6.500 7h3v3h-3zM11 7h3v3h-3z",
};

export class CardTools {
  /** The motion before the present seek.
   *  @type {import("./undo.js").Before | undefined} */
  #before;
  /** The next frame that moves the slider.
   *  @type {number | undefined} */
  #next;
  /** The position of the request under way.
   *  @type {string | null} */
  #requested = null;

  /** @param {import("./card.js").Card} card */
  constructor(card) {
    const { id, kind } = card;
    this.card = card;
    this.seek = make("input", {
      type: "range", max: 1, step: "any", tabindex: -1, disabled: "",
      "aria-label": translate("Seek {id}", { id }), input: () => this.#seekTo(),
      // One drag is undone in one step.
      change: () => {
        this.#before = undefined;
      },
    });
    this.seek.hidden = kind === "schedule";
    const names = kind === "schedule" ? ["pause", "resume", "cancel", "more"] : Object.keys(ICONS);
    const buttons = names.map((name) => {
      const title = translate(name[0].toUpperCase() + name.slice(1));
      const attributes = { name, title, tabindex: -1, "aria-label": `${title} ${id}` };
      const sign = svg("0 0 16 16", ICONS[name]);
      return make("button", { ...attributes, click: () => this.#act(name) }, sign);
    });
    this.more = buttons.at(-1);
    this.element = make("div", { class: "tools", role: "group", "aria-label": translate("Tools of {id}", { id }) },
      this.seek, ...buttons);
  }

  /** @param {string} name */
  async #act(name) {
    const { card } = this;
    if (name === "more") return (await import("./lazy.js")).openCardMenu(card, this.more);
    const before = this.motion;
    const isLast = name === "delete" || (name === "cancel" && card.kind === "schedule");
    const question = translate("Delete {id}?", { id: card.id });
    if (isLast && !(await confirmAction(question, "Delete"))) return;
    card.receiveResource(
      await send(isLast ? "DELETE" : "POST", pathOf(card.key) + (isLast ? "" : `/${name}`))
    );
    if (name === "finish" || name === "cancel") this.#offerUndo(before);
  }

  /** The motion under way, and its own time in seconds; undefined where the number rests.
   *  @returns {import("./undo.js").Before | undefined} */
  get motion() {
    const { resource, receivedAt, isInMotion, animation } = this.card;
    const { elapsed, state, rate = 1 } = resource?.motion ?? {};
    if (!isInMotion || elapsed === undefined || resource.animation !== animation) return undefined;
    const passed = state === "running" ? ((feedFrom().now() - receivedAt) / 1000) * rate : 0;
    return { resource, seconds: elapsed + passed };
  }

  /** @param {import("./undo.js").Before | undefined} before */
  async #offerUndo(before) {
    if (before) (await import("./lazy.js")).offerUndo(this.card, before);
  }

  /** Moves the slider on from what the server last sent, while the card has attention. */
  updateHandle() {
    const { resource, receivedAt, activity, hasAttention } = this.card;
    const isActive = activity === "moving" || activity === "paused";
    if (this.seek.disabled === isActive) this.seek.disabled = !isActive;
    // A slider that is out of sight would cost a layout each time it moves.
    if (!resource?.motion || !hasAttention) return;
    const { fraction = 1, end, state } = resource.motion;
    const left = Date.parse(end) - receivedAt;
    const isRunning = state === "running" && left > 0;
    const progress = isRunning ? Math.min(1, (feedFrom().now() - receivedAt) / left) : 0;
    if (!this.#requested && !this.seek.matches(":active")) {
      const place = isActive ? fraction + (1 - fraction) * progress : 1;
      this.seek.value = place;
      this.seek.setAttribute("aria-valuetext", `${Math.round(place * 100)} %`);
    }
    this.stop();
    if (isActive && progress < 1 && state === "running") {
      this.#next = requestAnimationFrame(() => this.updateHandle());
    }
  }

  /** Moves the focus from a button that has been hidden, such as *pause*, to the one in its place. */
  keepFocus() {
    const focused = document.activeElement;
    if (!focused || !this.element.contains(focused) || focused.checkVisibility()) return;
    const next = focused.matches("[name=pause]") ? "resume" : "pause";
    this.element.querySelector(`[name=${next}]`)?.focus();
  }

  stop() {
    if (this.#next !== undefined) cancelAnimationFrame(this.#next);
  }

  /** Sends one seek at a time, and always the last one. */
  async #seekTo() {
    this.card.fetchID = null;
    if (this.#requested) return;
    const before = (this.#before ??= this.motion);
    let resource;
    while (this.#requested !== this.seek.value) {
      this.#requested = this.seek.value;
      resource = await send(
        "POST", `${pathOf(this.card.key)}/seek`, { fraction: +Number(this.#requested).toFixed(4) }
      );
    }
    this.#requested = null;
    this.card.receiveResource(resource);
    this.#offerUndo(before);
  }
}
