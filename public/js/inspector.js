// Peek: a panel with all there is to know of one card. It never sends a write.
import { copy } from "./copying.js";
import { read } from "./client.js";
import { curvePath, rangeOf } from "./easing.js";
import { make, write } from "./element.js";
import { feedFrom } from "./feed.js";
import { Probe } from "./probe.js";
import { language, towards, translate } from "./words.js";

/** @param {unknown} value
 *  @returns {string} */
const plain = (value) => (
  value !== null && typeof value === "object" ? JSON.stringify(value) : `${value}`
);

/** @typedef {{title: string | undefined, notes: string, items: Record<string, string>}} Findings */

/** @param {Findings} findings */
const origin = ({ title, notes }) => ({
  title, notes, server: feedFrom().status.greeting, agent: navigator.userAgent, time: new Date(),
});

/** @param {Findings} findings
 *  @returns {string} */
function asJSON(findings) {
  return JSON.stringify({ ...origin(findings), items: findings.items }, null, 2);
}

/** @param {Findings} findings
 *  @returns {string} a Markdown table */
function asMarkdown(findings) {
  const lines = Object.entries({ ...origin(findings), ...findings.items })
    .map(([key, value]) => `| ${key} | ${plain(value).replaceAll("|", "\\|")} |`);
  return ["| attribute | value |", "|---|---|", ...lines].join("\n");
}

/** Milliseconds between two looks at the resource. */
const LOOKING = 500;
const OPEN_GROUPS = "inspector";
/** Pixels, and milliseconds, that the graphs are high and wide. */
const GRAPH = { width: 240, height: 70 };
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** @param {number[]} list */
const middle = (list) => {
  const median = [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
  return `${median.toFixed(1)} ms`;
};

/** A value as people read it: numbers to six digits after the point, times as the clock has them
 *  here.
 *  @param {unknown} value */
function readable(value) {
  if (typeof value === "number") return `${+value.toFixed(6)}`;
  if (typeof value !== "string" || !DATE.test(value)) return plain(value);
  return new Date(value).toLocaleTimeString(language, { hour12: false, fractionalSecondDigits: 3 });
}

class Inspector {
  /** @type {import("./card.js").Card | undefined} */
  card;
  /** @type {Map<string, HTMLElement>} */
  rows = new Map();
  outline = make("div", { class: "outline" });
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

  get isOpen() {
    return this.panel.isConnected;
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
    if (button.name === "close") this.toggle();
    else if (button.name) {
      const chosen = [...this.rows].filter(
        ([, row]) => /** @type {any} */ (row.firstChild).checked
      );
      const items = Object.fromEntries(
        chosen.map(([key, row]) => [key, row.lastChild?.textContent ?? ""])
      );
      const findings = { title: this.card?.key, notes: this.notes.value, items };
      copy(button.name === "json" ? asJSON(findings) : asMarkdown(findings), button);
    }
  }

  toggle() {
    const opens = document.body.classList.toggle("inspecting");
    clearInterval(this.timer);
    if (opens) {
      // As long as no card was taken there is nothing to frame.
      this.outline.hidden = true;
      document.body.append(this.outline, this.panel);
      this.timer = setInterval(() => this.refresh(), LOOKING);
      this.draw();
    } else {
      for (const part of [this.panel, this.outline]) part.remove();
      this.probe?.close();
      this.probe = this.card = undefined;
      this.isPinned = false;
    }
    const next = opens ? this.panel.querySelector("button") : document.querySelector("#inspect");
    next.focus();
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
    const { motion: told = {}, display, definition, ...value } = resource;
    const { from, to, velocity, easing, spring, then, else: cut, ...timing } = told;
    const actions = then ?? value.then ?? definition?.do ?? [];
    const { gaps, latencies, empty, lines } = /** @type {Probe} */ (this.probe);
    const bar = asked.view.shadowRoot.querySelector("[role]") ?? {};
    [
      { ...display, ...value },
      { from, to, velocity, easing, spring, then: then ?? definition?.do, else: cut },
      { ...timing, ...definition }, {
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
      write(/** @type {Node} */ (row.lastChild), readable(value));
    }
  }

  /** @param {HTMLElement} group
   *  @param {string} name
   *  @returns {HTMLElement} */
  row(group, name) {
    const box = make("input", { type: "checkbox", checked: "" });
    const text = make("span", { class: "value" });
    const row = make("label", { class: "row" }, box, make("span", {}, name), text);
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

  draw() {
    if (!this.isOpen) return;
    requestAnimationFrame(() => this.draw());
    if (!this.card) return;
    const box = this.card.element.getBoundingClientRect();
    for (const side of ["left", "top", "width", "height"]) {
      this.outline.style[side] = `${box[side]}px`;
    }
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
