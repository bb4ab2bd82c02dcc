// Peek: a read-only overlay that shows all there is to know of one card. It never sends a write.
import { pathOf, read } from "./client.js";
import { curvePath, EASINGS, springPath } from "./easing.js";
import { make, write } from "./element.js";
import { feedFrom } from "./feed.js";
import { serverTime } from "./source.js";

const GROUPS = ["Value", "Motion", "Timing", "Stream", "Accessibility", "Raw events"];
const STORE = "tweencast-inspector";
const plain = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
const middle = (list, at) => `${([...list].sort((a, b) => a - b)[Math.floor(list.length * at)] ?? 0).toFixed(1)} ms`;
const graph = (...parts) => make("svg", { viewBox: "0 0 240 70", class: "graph", "aria-hidden": "true" }, make("path"), ...parts);

export class Inspector {
  rows = new Map();

  constructor(board) {
    this.board = board;
    const spring = springPath({ dampingRatio: 0.9, initialVelocity: 1.1 }, 0.2);
    this.outline = make("div", { class: "outline" });
    this.outline.style.transitionTimingFunction = `linear(${Array.from({ length: 21 }, (_, i) => spring.at(i / 20).toFixed(3))})`;
    this.build();
    this.on("pointerover", ({ target }) => this.pinned || this.select(target));
    this.on("focusin", ({ target }) => this.pinned || this.select(target));
    for (const name of ["pointerdown", "click", "dblclick", "keydown"]) this.on(name, (event) => this.act(event));
  }

  /** Listens ahead of the page while the overlay is up. */
  on(name, act) {
    addEventListener(name, (event) => this.panel.isConnected && act(event), true);
  }

  /** A click takes a card, Enter or a double click opens it, Escape leaves; the card itself feels nothing of it. */
  act(event) {
    if (event.key === "Escape") return this.toggle();
    if ((event.key && event.key !== "Enter") || !this.select(event.target, true)) return;
    if (event.key || event.type === "dblclick") this.body.hidden = false;
    event.preventDefault();
    event.stopPropagation();
  }

  build() {
    const open = JSON.parse(localStorage[STORE] ?? '["Value","Motion","Stream"]');
    const groups = GROUPS.map((name) => {
      const group = make("details", { toggle: () => this.remember() }, make("summary", {}, name));
      group.open = open.includes(name);
      return group;
    });
    this.groups = Object.fromEntries(groups.map((group, i) => [GROUPS[i], group]));
    this.curve = graph(make("circle", { r: 4 }));
    this.gaps = graph();
    this.raw = make("pre", { tabindex: 0 });
    this.links = make("p");
    this.groups.Motion.append(this.curve, this.links);
    this.groups.Stream.append(this.gaps);
    this.groups["Raw events"].append(this.raw);
    this.title = make("h2", {}, "Point at a card");
    this.filter = make("input", { type: "search", placeholder: "Filter", "aria-label": "Filter attributes", input: () => this.sift() });
    this.notes = make("textarea", { placeholder: "Notes for the report", "aria-label": "Notes for the report" });
    const button = (text, click) => make("button", { type: "button", click }, text);
    this.body = make("div", {}, this.filter, ...groups, this.notes,
      make("p", {}, "Copy report ", button("JSON", () => this.copy(true)), " ", button("Markdown", () => this.copy(false))));
    this.body.hidden = true;
    this.panel = make("section", { class: "inspector", "aria-label": "Inspector", "data-keep": "" },
      make("header", {}, this.title, button("Close", () => this.toggle())),
      make("p", { class: "hint" }, "Click selects, Enter or a double click opens."), this.body);
  }

  toggle() {
    const leave = this.panel.isConnected;
    document.documentElement.classList.toggle("inspecting", !leave);
    if (leave) {
      this.panel.remove();
      this.outline.remove();
      this.events?.close();
      clearInterval(this.timer);
      this.card = this.pinned = null;
    } else {
      document.body.append(this.outline, this.panel);
      this.panel.querySelector("button").focus();
      this.timer = setInterval(() => this.refresh(), 500);
      this.draw();
    }
  }

  remember() {
    localStorage[STORE] = JSON.stringify(GROUPS.filter((name) => this.groups[name].open));
  }

  /** Takes the card under an element; `pin` keeps it while the pointer goes elsewhere. */
  select(target, pin) {
    const card = this.board.cards.get(target.closest?.(".card")?.dataset.key);
    if (!card) return false;
    this.pinned = pin;
    if (card !== this.card) {
      this.card = card;
      write(this.title, card.id);
      for (const row of this.rows.values()) row.remove();
      this.rows.clear();
      this.listen(card.key);
      this.refresh();
    }
    return true;
  }

  /** Its own stamped stream of the one resource: gaps, latency, ticks without a frame, raw events. */
  listen(key) {
    this.events?.close();
    const stats = (this.stats = { gaps: [], late: [], empty: 0, lines: [] });
    const push = (list, value, most) => list.push(value) > most && list.shift();
    this.events = new EventSource(`${pathOf(key)}/events?stamp`);
    for (const name of ["message", "complete", "paused", "resumed", "milestone", "fired", "hello", "removed"]) {
      this.events.addEventListener(name, ({ data }) => {
        push(stats.lines, `${name === "message" ? "" : `event: ${name}\n`}data: ${data}`, 20);
        if (name !== "message") return;
        const { t, seq } = JSON.parse(data), gap = performance.now() - stats.last;
        stats.last = performance.now();
        if (t) push(stats.late, feedFrom().now() - serverTime(t), 120);
        if (gap < 500) {
          push(stats.gaps, gap, 120);
          if (seq) stats.empty += seq - stats.seq - 1;
        }
        stats.seq = seq;
      });
    }
  }

  async refresh() {
    const { card, stats } = this;
    const resource = card && (await read(pathOf(card.key)));
    if (!resource || card !== this.card) return;
    card.take(resource);
    const { motion = {}, display, definition, ...value } = resource;
    const { start, end, duration, delay, iterations, direction, rate, state, fraction, elapsed, ...shape } = motion;
    const actions = resource.then ?? motion.then ?? resource.do ?? definition?.do;
    const root = card.view.shadowRoot, bar = root.querySelector("[role]");
    this.show("Value", { ...value, ...display, value: value.value });
    this.show("Motion", { ...shape, "all easings": EASINGS.join(" "), then: actions });
    this.show("Timing", { state, fraction, elapsed, start, end, duration, delay, iterations, direction, rate, ...definition });
    this.show("Stream", {
      "gap, median": middle(stats.gaps, 0.5), "gap, p95": middle(stats.gaps, 0.95), "latency, median": middle(stats.late, 0.5),
      "ticks without a frame": stats.empty, "frames this page left out": feedFrom().left,
    });
    this.show("Accessibility", {
      role: bar?.role ?? "text", name: bar?.ariaLabel ?? card.id, "value now": bar?.ariaValueNow, "value text": bar?.ariaValueText,
      spoken: root.querySelector(".spoken")?.textContent, direction: getComputedStyle(card.view.value).direction,
    });
    write(this.raw, stats.lines.join("\n\n"));
    this.follow(actions);
    this.sift();
  }

  /** One row for each attribute; its box says whether the report has it. */
  show(group, values) {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === null) continue;
      const key = `${group}: ${name}`;
      if (!this.rows.has(key)) {
        this.rows.set(key, make("label", { class: "row" }, make("input", { type: "checkbox", checked: "" }), make("span", {}, name), make("output")));
        this.groups[group].append(this.rows.get(key));
      }
      write(this.rows.get(key).lastChild, plain(value));
    }
  }

  /** Buttons that lead to what an action starts. */
  follow(actions = []) {
    const keys = actions.map(({ ticker, progress }) => (ticker ? `ticker:${ticker}` : `progress:${progress}`));
    const text = keys.filter((key) => this.board.cards.has(key)).join(" ");
    if (this.linked === text) return;
    this.linked = text;
    this.links.replaceChildren(...(text ? text.split(" ") : []).map((key) =>
      make("button", { type: "button", click: () => this.select(this.board.cards.get(key).element, true) }, `→ ${key}`)));
  }

  sift() {
    const wanted = this.filter.value.toLowerCase();
    for (const [key, row] of this.rows) row.hidden = !(key + row.textContent).toLowerCase().includes(wanted);
  }

  /** Outline, playhead and graph, at the screen's rate. */
  draw() {
    if (!this.panel.isConnected) return;
    requestAnimationFrame(() => this.draw());
    if (!this.card) return;
    const { left, top, width, height } = this.card.element.getBoundingClientRect();
    Object.assign(this.outline.style, { translate: `${left}px ${top}px`, width: `${width}px`, height: `${height}px` });
    const { motion } = this.card;
    if (motion) {
      const { share } = motion.sample(feedFrom().now());
      if (this.drawn !== motion) this.curve.firstChild.setAttribute("d", curvePath(motion.at, 240, 70));
      this.drawn = motion;
      this.curve.lastChild.setAttribute("cx", share * 240);
      this.curve.lastChild.setAttribute("cy", 70 - ((motion.at(share) + 0.15) / 1.4) * 70);
    }
    const points = this.stats.gaps.map((gap, i) => `${i * 2} ${(70 - Math.min(gap, 70)).toFixed(1)}`);
    this.gaps.firstChild.setAttribute("d", points.length ? `M${points.join("L")}` : "");
  }

  copy(json) {
    const items = [...this.rows].filter(([, row]) => row.firstChild.checked).map(([key, row]) => {
      const [group, name] = key.split(": ");
      return { group, key: name, value: row.lastChild.textContent };
    });
    const facts = { server: feedFrom().status.greeting, agent: navigator.userAgent, time: new Date().toISOString() };
    const report = { title: this.card?.key, notes: this.notes.value, ...facts, items };
    const table = items.map(({ group, key, value }) => `| ${group} | ${key} | ${value.replaceAll("|", "\\|")} |`);
    navigator.clipboard.writeText(json ? JSON.stringify(report, null, 2)
      : [`# ${report.title}`, "", report.notes, "", plain(facts), "", "| group | attribute | value |", "|---|---|---|", ...table].join("\n"));
  }
}
