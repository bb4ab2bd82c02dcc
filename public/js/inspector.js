// The inspector: a panel with everything known about one card. It never changes anything.
import { allowedValues, isSameValue } from "./allowed-values.js";
import { fetchResource } from "./client.js";
import { copy } from "./clipboard.js";
import { make, setText } from "./dom.js";
import { curvePath, curveRange } from "./easing.js";
import { feedFrom } from "./feed.js";
import { arrowTo, language, translate, translateMarkup } from "./i18n.js";
import { parseMetadata, REPORT_FORMATS } from "./inspector-report.js";
import "./inspector-translations.js";
import { pagePace } from "./pace.js";
import { StreamMonitor } from "./stream-monitor.js";

/** Milliseconds between two fetches of the resource. */
const REFRESH_INTERVAL = 500;
const OPEN_GROUPS = "inspector";
const METADATA = "inspector.metadata";
/** Milliseconds of fading in and out. */
const FADE_TIME = 250;
/** Size of the graphs in pixels; the height is in milliseconds, too. */
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
const median = (list) => {
  const median = [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
  return `${tenths.format(median)} ms`;
};

/** @param {Date} date today's date is left out */
const clock = (date) => {
  const [own, today] = [date, new Date()].map((one) => day.format(one));
  return own === today ? time.format(date) : `${own} ${time.format(date)}`;
};

/** A value for people: numbers with at most six decimals, instants in local time, objects by their members.
 *  @param {unknown} value
 *  @returns {string} */
function readable(value) {
  if (typeof value === "number") return number.format(value);
  if (typeof value === "string") return DATE.test(value) ? clock(new Date(value)) : value;
  if (Array.isArray(value)) return value.map(readable).join("; ");
  if (value === null || typeof value !== "object") return translate(`${value}`);
  return Object.entries(value).map(([name, part]) => `${name} ${readable(part)}`).join(", ");
}

class Inspector {
  /** @type {import("./card.js").Card | undefined} */
  card;
  /** @type {Map<string, HTMLElement>} */
  rows = new Map();
  outline = make("div", { class: "outline" });
  /** Dims everything but the card. */
  dim = make("div", { class: "dim" });
  isOpen = false;
  /** The clip path of `dim`.
   *  @type {string | undefined} */
  hole;
  /** Counts rows, for their ids. */
  count = 0;
  /** The lowest and highest value of the curve.
   *  @type {[low: number, high: number]} */
  range = [0, 1];

  /** @param {Map<string, import("./card.js").Card>} cards */
  constructor(cards) {
    this.cards = cards;
    const template = /** @type {HTMLTemplateElement} */ (document.querySelector("template"));
    this.panel = /** @type {any} */ (template.content.firstElementChild);
    translateMarkup(this.panel);
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
    this.filter.addEventListener("input", () => this.applyFilter());
    this.panel.addEventListener(
      "click", (/** @type {any} */ { target }) => this.pressButton(target)
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

  /** Click or Enter selects a card, Escape closes; cards don't receive these events.
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
  pressButton(button) {
    if (button.name === "close") return this.toggle();
    const report = REPORT_FORMATS[button.name];
    if (report) copy(report(this.findings), button);
  }

  /** The ticked attributes and their notes. */
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
    const metadata = parseMetadata(this.metadata.value);
    return { title: this.card?.key, notes: this.notes.value, metadata, items, itemNotes };
  }

  toggle() {
    this.isOpen = document.body.classList.toggle("inspecting");
    clearInterval(this.timer);
    const parts = [this.dim, this.outline, this.panel];
    if (this.isOpen) {
      // No card is selected yet.
      this.outline.hidden = true;
      this.dim.style.clipPath = "";
      document.body.append(...parts);
      this.timer = setInterval(() => this.refresh(), REFRESH_INTERVAL);
      this.draw();
    } else {
      this.monitor?.close();
      this.monitor = this.card = undefined;
      this.isPinned = false;
    }
    this.fade(parts);
    const next = this.isOpen
      ? this.panel.querySelector("button") : document.querySelector("#inspect");
    next.focus();
  }

  /** Fades the parts in or out; a running fade reverses from where it is.
   *  @param {HTMLElement[]} parts */
  async fade(parts) {
    const { isOpen } = this;
    const isCalm = pagePace() !== "live" || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const steps = parts.map((part) => {
      const shown = part.getAnimations().length ? getComputedStyle(part).opacity : `${+!isOpen}`;
      for (const animation of part.getAnimations()) animation.cancel();
      const duration = isCalm ? 0 : FADE_TIME;
      return part.animate({ opacity: [shown, `${+isOpen}`] }, { duration, fill: "forwards" });
    });
    await Promise.allSettled(steps.map(({ finished }) => finished));
    if (!isOpen && !this.isOpen) for (const part of parts) part.remove();
  }

  /** Selects an element's card; `isPinned` keeps it when the pointer leaves.
   *  @param {any} target
   *  @returns {boolean} whether the element has a card */
  select(target, isPinned = false) {
    const card = this.cards.get(target.closest?.(".card")?.dataset.key);
    if (!card) return false;
    this.isPinned = isPinned;
    if (card === this.card) return true;
    this.card = card;
    setText(this.title, card.id);
    for (const part of [...this.links.children, ...this.rows.values()]) part.remove();
    this.rows.clear();
    this.show(undefined);
    this.curve.parentElement.hidden = card.kind === "schedule";
    this.monitor?.close();
    this.monitor = new StreamMonitor(card, (motion) => this.show(motion));
    this.refresh();
    return true;
  }

  /** Shows the curve of a motion, or hides the graph if there is none.
   *  @param {import("./motion.js").Motion | undefined} motion */
  show(motion) {
    this.motion = motion;
    this.curve.toggleAttribute("hidden", !motion);
    this.curve.nextElementSibling.hidden = !motion;
    if (!motion) return;
    this.range = curveRange(motion.at);
    this.curve.firstChild.setAttribute(
      "d", curvePath(motion.at, GRAPH.width, GRAPH.height, ...this.range)
    );
  }

  async refresh() {
    const { card } = this;
    const resource = card && (await fetchResource(card.key));
    if (!resource || card !== this.card) return;
    card.receiveResource(resource);
    const { motion = {}, display, definition, appearance, format, ...value } = resource;
    const { from, to, velocity, easing, spring, then, else: cut, ...timing } = motion;
    const actions = then ?? value.then ?? definition?.do ?? [];
    // The default of `interrupt`, and the default shape of a progress.
    const { interrupt = "retarget", ...plan } = definition ?? {};
    const defaults = card.kind === "schedule" ? {} : { interrupt };
    const shape = card.kind === "progress" ? { shape: "bar" } : {};
    const { gaps, latencies, skipped: empty, lines } = /** @type {StreamMonitor} */ (this.monitor);
    const bar = card.view.shadowRoot.querySelector("[role]") ?? {};
    [
      { ...display, ...value, ...format, ...shape, ...appearance },
      { from, to, velocity, easing, ...spring, ...defaults, then: then ?? plan.do, else: cut },
      { ...timing, ...plan }, {
        gap: median(gaps), latency: median(latencies),
        "ticks without a frame": empty, "frames skipped by this page": feedFrom().droppedFrames,
      }, {
        role: bar.role ?? "text", name: bar.ariaLabel ?? card.id, "value now": bar.ariaValueNow,
        "value text": bar.ariaValueText, spoken: card.view.spoken?.dataset.text,
        direction: getComputedStyle(card.view.valuePart).direction,
      }].forEach((values, i) => this.updateRows(this.groups[i], values));
    setText(this.raw, lines.join("\n\n"));
    this.link([...actions, ...(cut ?? [])]);
    this.applyFilter();
  }

  /** Shows a row for each attribute; its checkbox puts it into the report.
   *  @param {HTMLElement} group
   *  @param {object} values */
  updateRows(group, values) {
    for (const [name, value] of Object.entries(values)) {
      const key = `${group.firstElementChild?.textContent}: ${name}`;
      if (value === null || value === undefined) continue;
      const row = this.rows.get(key) ?? this.row(group, name);
      this.rows.set(key, row);
      const owner = group === this.groups[2] && this.card?.kind !== "schedule" ? "motion"
        : this.card?.kind ?? "";
      const choices = this.isPageGroup(group) ? [] : allowedValues(name, `${value}`, owner);
      this.listChoices(/** @type {HTMLElement} */ (row.querySelector(".choices")), choices, `${value}`);
      setText(/** @type {Node} */ (row.lastChild), choices.length ? translate(`${value}`) : readable(value));
    }
  }

  /** Whether a group's attributes are the page's own. The names of others are the contract's, and not translated.
   *  @param {HTMLElement} group */
  isPageGroup(group) {
    return this.groups.indexOf(group) > 2;
  }

  /** Lists the allowed values of an attribute, and marks the present one.
   *  @param {HTMLElement} place
   *  @param {readonly string[]} choices
   *  @param {string} present */
  listChoices(place, choices, present) {
    place.hidden = !choices.length;
    if (place.dataset.present === present && place.childElementCount === choices.length) return;
    place.dataset.present = present;
    place.replaceChildren(...choices.map((choice) => (isSameValue(choice, present)
      ? make("li", { "aria-current": "true" }, make("mark", {}, translate(choice)))
      : make("li", {}, translate(choice)))));
  }

  /** @param {HTMLElement} group
   *  @param {string} name
   *  @returns {HTMLElement} */
  row(group, name) {
    const id = `row-${this.count++}`;
    const about = translate("Note on {name}", { name });
    const remark = make("input", { class: "remark", placeholder: translate("Note"), "aria-label": about });
    remark.hidden = true;
    const pen = make("button", { class: "pen", title: about, "aria-label": about, click: () => {
      remark.hidden = false;
      remark.focus();
    } }, "✎");
    // An empty note takes no space.
    remark.addEventListener("blur", () => {
      remark.hidden = !remark.value;
    });
    const caption = make("span", {}, this.isPageGroup(group) ? translate(name) : name);
    const row = make("div", { class: "row" },
      make("input", { type: "checkbox", checked: "", id }), make("label", { for: id }, caption), pen, remark,
      make("ul", { class: "choices", "aria-label": translate("Choices") }),
      make("span", { class: "value" }));
    group.append(row);
    return row;
  }

  /** Shows buttons that lead to the resources of the motion's actions.
   *  @param {any[]} actions */
  link(actions) {
    const keys = actions.map(({ ticker, progress, schedule }) =>
      ticker ? `ticker:${ticker}`
        : progress ? `progress:${progress}` : `schedule:${schedule?.id ?? schedule}`);
    const known = [...new Set(keys)].filter((key) => this.cards.has(key));
    if ([...this.links.children].map(({ dataset }) => dataset.to).join() === known.join()) return;
    this.links.replaceChildren(...known.map((key) => make("button", {
      "data-to": key, click: () => this.select(this.cards.get(key)?.element, true),
    }, make("bdi", { dir: "ltr" }, arrowTo(key)))));
  }

  applyFilter() {
    const wanted = this.filter.value.toLowerCase();
    for (const [key, row] of this.rows) {
      row.hidden = !(key + row.textContent).toLowerCase().includes(wanted);
    }
  }

  /** Cuts a card out of the dimmed area.
   *  @param {DOMRect} box */
  cutOut({ left, top, right, bottom }) {
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
    this.cutOut(box);
    this.outline.hidden = false;
    if (this.motion) {
      const { share } = this.motion.sample(feedFrom().now());
      const head = this.curve.lastChild;
      head.setAttribute("cx", share * GRAPH.width);
      const [low, high] = this.range;
      head.setAttribute("cy", GRAPH.height * (1 - (this.motion.at(share) - low) / (high - low)));
    }
    const { gaps, latencies } = /** @type {StreamMonitor} */ (this.monitor);
    [gaps, latencies].forEach((list, i) => {
      const points = list.map((ms, at) => `${at * 2} ${GRAPH.height - Math.min(ms, GRAPH.height)}`);
      this.graphs.children[i].setAttribute("d", points.length ? `M${points.join("L")}` : "");
    });
  }
}

/** A function that opens and closes the inspector.
 *  @param {Map<string, import("./card.js").Card>} cards
 *  @returns {() => void} */
export function inspectorToggle(cards) {
  /** @type {Inspector | undefined} */
  let inspector;
  return () => {
    inspector ??= new Inspector(cards);
    inspector.toggle();
  };
}
