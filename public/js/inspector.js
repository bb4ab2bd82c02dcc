// Peek: a panel with all there is to know of one card. It never sends a write.
import { choicesOf, isSame } from "./allowed-values.js";
import { copy } from "./clipboard.js";
import { read } from "./client.js";
import { curvePath, rangeOf } from "./easing.js";
import { make, write } from "./tween-element.js";
import { feedFrom } from "./feed.js";
import { pagePace } from "./pace.js";
import { Probe } from "./stream-monitor.js";
import { metadataOf, REPORTS } from "./inspector-report.js";
import "./inspector-translations.js";
import { language, towards, translate, words } from "./i18n.js";

/** Milliseconds between two looks at the resource. */
const LOOKING = 500;
const OPEN_GROUPS = "inspector";
const METADATA = "inspector.metadata";
/** Milliseconds in which it comes and goes. */
const FADING = 250;
/** Pixels, and milliseconds, that the graphs are high and wide. */
const GRAPH = { width: 240, height: 70 };
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const time = new Intl.DateTimeFormat(language, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23",
});
const day = new Intl.DateTimeFormat(language, { dateStyle: "short" });
const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping: false });
const tenths = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false,
});

/** @param {number[]} list */
const middle = (list) => {
  const median = [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
  return `${tenths.format(median)} ms`;
};

/** @param {Date} date of today its time alone */
const clock = (date) => {
  const [own, today] = [date, new Date()].map((one) => day.format(one));
  return own === today ? time.format(date) : `${own} ${time.format(date)}`;
};

/** A value as people read it: numbers to six digits after the point, times as the clock has them
 *  here, what has parts by these.
 *  @param {unknown} value
 *  @returns {string} */
function readable(value) {
  if (typeof value === "number") return number.format(value);
  if (typeof value === "string") return DATE.test(value) ? clock(new Date(value)) : value;
  if (Array.isArray(value)) return value.map(readable).join("; ");
  if (value === null || typeof value !== "object") return words(`${value}`);
  return Object.entries(value).map(([name, part]) => `${name} ${readable(part)}`).join(", ");
}

class Inspector {
  /** @type {import("./card.js").Card | undefined} */
  card;
  /** @type {Map<string, HTMLElement>} */
  rows = new Map();
  outline = make("div", { class: "outline" });
  /** Dims what isn't looked at. */
  dim = make("div", { class: "dim" });
  isOpen = false;
  /** The part of `dim` that is none.
   *  @type {string | undefined} */
  hole;
  /** Counts rows, each of which is named by its number. */
  count = 0;
  /** From where to where the curve goes.
   *  @type {[low: number, high: number]} */
  range = [0, 1];

  /** @param {Map<string, import("./card.js").Card>} cards */
  constructor(cards) {
    this.cards = cards;
    const template = /** @type {HTMLTemplateElement} */ (document.querySelector("template"));
    this.panel = /** @type {any} */ (template.content.firstElementChild);
    translate(this.panel);
    this.groups = [...this.panel.querySelectorAll("details")];
    /** @param {string} selector
     *  @returns {any} */
    const find = (selector) => this.panel.querySelector(selector);
    this.title = find("h2");
    this.filter = find("input");
    this.curve = find("svg");
    this.links = find("details p:not(.legend)");
    this.graphs = find("svg:has(path + path)");
    this.raw = find("pre");
    this.notes = find("textarea");
    this.metadata = find("[name=metadata]");
    this.metadata.value = localStorage.getItem(METADATA) ?? "";
    this.metadata.addEventListener(
      "input", () => localStorage.setItem(METADATA, this.metadata.value)
    );
    [...(localStorage.getItem(OPEN_GROUPS) ?? "110100")].forEach(
      (open, i) => (this.groups[i].open = open === "1")
    );
    this.panel.addEventListener("toggle", () => {
      localStorage.setItem(OPEN_GROUPS, this.groups.map(({ open }) => +open).join(""));
    }, true);
    this.filter.addEventListener("input", () => this.sift());
    this.panel.addEventListener(
      "click", (/** @type {any} */ { target }) => this.press(target)
    );
    for (const name of ["pointerover", "focusin"]) {
      addEventListener(
        name, ({ target }) => this.isOpen && !this.isPinned && this.select(target), true
      );
    }
    for (const name of ["pointerdown", "click", "dblclick", "keydown"]) {
      addEventListener(name, (event) => this.isOpen && this.act(event), true);
    }
  }

  /** A click takes a card, and so does Enter; Escape leaves; the card feels nothing.
   *  @param {any} event */
  act(event) {
    const { key, type, target } = event;
    if (document.querySelector("dialog[open]")) return;
    if (key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      return this.toggle();
    }
    if ((key && key !== "Enter") || !this.select(target, true)) return;
    if (key || type !== "pointerdown") this.panel.lastElementChild.hidden = false;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {HTMLButtonElement} button */
  press(button) {
    if (button.name === "close") return this.toggle();
    const report = REPORTS[button.name];
    if (report) copy(report(this.findings), button);
  }

  /** What is chosen, and what was noted of it. */
  get findings() {
    /** @type {Record<string, string>} */
    const items = {};
    /** @type {Record<string, string>} */
    const itemNotes = {};
    for (const [key, row] of this.rows) {
      if (!(/** @type {any} */ (row.firstChild).checked)) continue;
      items[key] = row.lastChild?.textContent ?? "";
      const note = /** @type {HTMLInputElement} */ (row.querySelector(".remark")).value;
      if (note) itemNotes[key] = note;
    }
    const metadata = metadataOf(this.metadata.value);
    return { title: this.card?.key, notes: this.notes.value, metadata, items, itemNotes };
  }

  toggle() {
    this.isOpen = document.body.classList.toggle("inspecting");
    clearInterval(this.timer);
    const parts = [this.dim, this.outline, this.panel];
    if (this.isOpen) {
      // As long as no card was taken there is nothing to frame.
      this.outline.hidden = true;
      this.dim.style.clipPath = "";
      document.body.append(...parts);
      this.timer = setInterval(() => this.refresh(), LOOKING);
      this.draw();
    } else {
      this.probe?.close();
      this.probe = this.card = undefined;
      this.isPinned = false;
    }
    this.fade(parts);
    const next = this.isOpen
      ? this.panel.querySelector("button") : document.querySelector("#inspect");
    next.focus();
  }

  /** Has them come or go; what is on its way turns round where it is.
   *  @param {HTMLElement[]} parts */
  async fade(parts) {
    const { isOpen } = this;
    const isCalm = pagePace() !== "live" || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const steps = parts.map((part) => {
      const shown = part.getAnimations().length ? getComputedStyle(part).opacity : `${+!isOpen}`;
      for (const animation of part.getAnimations()) animation.cancel();
      const duration = isCalm ? 0 : FADING;
      return part.animate({ opacity: [shown, `${+isOpen}`] }, { duration, fill: "forwards" });
    });
    await Promise.allSettled(steps.map(({ finished }) => finished));
    if (!isOpen && !this.isOpen) for (const part of parts) part.remove();
  }

  /** Takes an element's card; `isPinned` keeps it when the pointer leaves.
   *  @param {any} target
   *  @returns {boolean} whether there is one */
  select(target, isPinned = false) {
    const card = this.cards.get(target.closest?.(".card")?.dataset.key);
    if (!card) return false;
    this.isPinned = isPinned;
    if (card === this.card) return true;
    this.card = card;
    write(this.title, card.id);
    for (const part of [...this.links.children, ...this.rows.values()]) part.remove();
    this.rows.clear();
    this.show(undefined);
    this.curve.parentElement.hidden = card.kind === "schedule";
    this.probe?.close();
    this.probe = new Probe(card, (motion) => this.show(motion));
    this.refresh();
    return true;
  }

  /** The curve of a motion, which is there as long as there is a motion.
   *  @param {import("./motion.js").Motion | undefined} motion */
  show(motion) {
    this.motion = motion;
    this.curve.toggleAttribute("hidden", !motion);
    this.curve.nextElementSibling.hidden = !motion;
    if (!motion) return;
    this.range = rangeOf(motion.at);
    this.curve.firstChild.setAttribute(
      "d", curvePath(motion.at, GRAPH.width, GRAPH.height, ...this.range)
    );
  }

  async refresh() {
    const asked = this.card;
    const resource = asked && (await read(asked.key));
    if (!resource || asked !== this.card) return;
    asked.take(resource);
    const { motion: told = {}, display, definition, appearance, format, ...value } = resource;
    const { from, to, velocity, easing, spring, then, else: cut, ...timing } = told;
    const actions = then ?? value.then ?? definition?.do ?? [];
    // What an update does unless it says something else, and how a progress is drawn.
    const { interrupt = "retarget", ...plan } = definition ?? {};
    const usual = asked.kind === "schedule" ? {} : { interrupt };
    const shape = asked.kind === "progress" ? { shape: "bar" } : {};
    const { gaps, latencies, empty, lines } = /** @type {Probe} */ (this.probe);
    const bar = asked.view.shadowRoot.querySelector("[role]") ?? {};
    [
      { ...display, ...value, ...format, ...shape, ...appearance },
      { from, to, velocity, easing, ...spring, ...usual, then: then ?? plan.do, else: cut },
      { ...timing, ...plan }, {
        gap: middle(gaps), latency: middle(latencies),
        "ticks without a frame": empty, "frames this page left out": feedFrom().left,
      }, {
        role: bar.role ?? "text", name: bar.ariaLabel ?? asked.id, "value now": bar.ariaValueNow,
        "value text": bar.ariaValueText, spoken: asked.view.spoken?.dataset.text,
        direction: getComputedStyle(asked.view.valuePart).direction,
      }].forEach((values, i) => this.list(this.groups[i], values));
    write(this.raw, lines.join("\n\n"));
    this.link([...actions, ...(cut ?? [])]);
    this.sift();
  }

  /** A row for each attribute; its box says if the report has it.
   *  @param {HTMLElement} group
   *  @param {object} values */
  list(group, values) {
    for (const [name, value] of Object.entries(values)) {
      const key = `${group.firstElementChild?.textContent}: ${name}`;
      if (value === null || value === undefined) continue;
      const row = this.rows.get(key) ?? this.row(group, name);
      this.rows.set(key, row);
      const owner = group === this.groups[2] && this.card?.kind !== "schedule" ? "motion"
        : this.card?.kind ?? "";
      const choices = this.isOwn(group) ? [] : choicesOf(name, `${value}`, owner);
      this.offer(/** @type {HTMLElement} */ (row.querySelector(".choices")), choices, `${value}`);
      write(/** @type {Node} */ (row.lastChild), choices.length ? words(`${value}`) : readable(value));
    }
  }

  /** Whether attributes of a group are the page's own: those of others have their names in the contract.
   *  @param {HTMLElement} group */
  isOwn(group) {
    return this.groups.indexOf(group) > 2;
  }

  /** Lists what an attribute may be, and marks what it is.
   *  @param {HTMLElement} place
   *  @param {readonly string[]} choices
   *  @param {string} present */
  offer(place, choices, present) {
    place.hidden = !choices.length;
    if (place.dataset.present === present && place.childElementCount === choices.length) return;
    place.dataset.present = present;
    place.replaceChildren(...choices.map((choice) => (isSame(choice, present)
      ? make("li", { "aria-current": "true" }, make("mark", {}, words(choice)))
      : make("li", {}, words(choice)))));
  }

  /** @param {HTMLElement} group
   *  @param {string} name
   *  @returns {HTMLElement} */
  row(group, name) {
    const id = `row-${this.count++}`;
    const about = words("Note on {name}", { name });
    const remark = make("input", { class: "remark", placeholder: words("Note"), "aria-label": about });
    remark.hidden = true;
    const pen = make("button", { class: "pen", title: about, "aria-label": about, click: () => {
      remark.hidden = false;
      remark.focus();
    } }, "✎");
    // What is empty needs no room.
    remark.addEventListener("blur", () => {
      remark.hidden = !remark.value;
    });
    const caption = make("span", {}, this.isOwn(group) ? words(name) : name);
    const row = make("div", { class: "row" },
      make("input", { type: "checkbox", checked: "", id }), make("label", { for: id }, caption), pen, remark,
      make("ul", { class: "choices", "aria-label": words("Choices") }),
      make("span", { class: "value" }));
    group.append(row);
    return row;
  }

  /** Buttons that go to what comes next.
   *  @param {any[]} actions */
  link(actions) {
    const keys = actions.map(({ ticker, progress, schedule }) =>
      ticker ? `ticker:${ticker}`
        : progress ? `progress:${progress}` : `schedule:${schedule?.id ?? schedule}`);
    const known = [...new Set(keys)].filter((key) => this.cards.has(key));
    if ([...this.links.children].map(({ dataset }) => dataset.to).join() === known.join()) return;
    this.links.replaceChildren(...known.map((key) => make("button", {
      "data-to": key, click: () => this.select(this.cards.get(key)?.element, true),
    }, make("bdi", { dir: "ltr" }, towards(key)))));
  }

  sift() {
    const wanted = this.filter.value.toLowerCase();
    for (const [key, row] of this.rows) {
      row.hidden = !(key + row.textContent).toLowerCase().includes(wanted);
    }
  }

  /** Leaves a card as bright as it is.
   *  @param {DOMRect} box */
  spare({ left, top, right, bottom }) {
    const hole = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
    const corners = hole.map(([x, y]) => `${x}px ${y}px`).join(", ");
    const path = `polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, ${corners})`;
    if (this.hole !== path) this.dim.style.clipPath = this.hole = path;
  }

  draw() {
    if (!this.isOpen) return;
    requestAnimationFrame(() => this.draw());
    if (!this.card) return;
    const box = this.card.element.getBoundingClientRect();
    for (const side of ["left", "top", "width", "height"]) {
      this.outline.style[side] = `${box[side]}px`;
    }
    this.spare(box);
    this.outline.hidden = false;
    if (this.motion) {
      const { share } = this.motion.sample(feedFrom().now());
      const head = this.curve.lastChild;
      head.setAttribute("cx", share * GRAPH.width);
      const [low, high] = this.range;
      head.setAttribute("cy", GRAPH.height * (1 - (this.motion.at(share) - low) / (high - low)));
    }
    const { gaps, latencies } = /** @type {Probe} */ (this.probe);
    [gaps, latencies].forEach((list, i) => {
      const points = list.map((ms, at) => `${at * 2} ${GRAPH.height - Math.min(ms, GRAPH.height)}`);
      this.graphs.children[i].setAttribute("d", points.length ? `M${points.join("L")}` : "");
    });
  }
}

/** What opens and closes the inspector of cards.
 *  @param {Map<string, import("./card.js").Card>} cards
 *  @returns {() => void} */
export function inspect(cards) {
  /** @type {Inspector | undefined} */
  let inspector;
  return () => {
    inspector ??= new Inspector(cards);
    inspector.toggle();
  };
}
