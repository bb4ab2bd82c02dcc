// Peek: a read-only overlay that shows all there is to know of one card. It never sends a write.
import { pathOf, read } from "./client.js";
import { curveOf, curvePath, EASINGS, parseEasing, springPath } from "./easing.js";
import { make, svg } from "./element.js";
import { feedFrom } from "./feed.js";
import { Motion } from "./motion.js";
import { serverTime } from "./source.js";

const GROUPS = ["Value", "Motion", "Timing", "Stream", "Accessibility", "Raw events"];
const OPEN = "tweencast-inspector";
const KEPT = 120;
const plain = (value) => (value && typeof value === "object" ? JSON.stringify(value) : String(value));
const middle = (list, at) => [...list].sort((a, b) => a - b)[Math.floor(list.length * at)] ?? 0;
const box = { viewBox: "0 0 240 70", class: "graph", "aria-hidden": "true" };

export class Inspector {
  constructor(board) {
    this.board = board;
    this.rows = new Map();
    const wide = parseEasing("linear");
    const points = Array.from({ length: 21 }, (_, i) => springPath({ dampingRatio: 0.9, initialVelocity: 1.1 }, 0.2).at(wide(i / 20)));
    this.outline = make("div", { class: "outline" });
    this.outline.style.transitionTimingFunction = `linear(${points.map((y) => y.toFixed(3))})`;
    this.build();
    for (const name of ["pointerover", "focusin"]) this.on(name, ({ target }) => !this.pinned && this.select(target));
    this.on("click", (event) => this.select(event.target, true) && this.swallow(event));
    this.on("dblclick", ({ target }) => this.select(target, true) && this.open());
    this.on("pointerdown", (event) => event.target.closest(".card") && this.swallow(event));
    this.on("keydown", (event) => {
      if (event.key === "Escape") this.toggle();
      if (event.key === "Enter" && this.select(event.target, true)) this.open() ?? this.swallow(event);
    });
  }

  /** Listens ahead of the page while the overlay is up. */
  on(name, act) {
    addEventListener(name, (event) => this.panel.isConnected && act(event), true);
  }

  swallow(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  build() {
    const open = JSON.parse(localStorage.getItem(OPEN) ?? '["Value","Motion","Stream"]');
    this.title = make("h2", {}, "Point at a card");
    this.filter = make("input", { type: "search", placeholder: "Filter", "aria-label": "Filter attributes" });
    this.filter.addEventListener("input", () => this.sift());
    this.groups = new Map(GROUPS.map((name) => {
      const group = make("details", {}, make("summary", {}, name));
      group.open = open.includes(name);
      group.addEventListener("toggle", () => this.remember());
      return [name, group];
    }));
    this.curve = svg("svg", box, svg("path"), svg("circle", { r: 4 }));
    this.gaps = svg("svg", box, svg("path"));
    this.raw = make("pre", { tabindex: "0" });
    this.groups.get("Motion").append(this.curve);
    this.groups.get("Stream").append(this.gaps);
    this.groups.get("Raw events").append(this.raw);
    this.notes = make("textarea", { placeholder: "Notes for the report", "aria-label": "Notes for the report" });
    const button = (text, act) => {
      const element = make("button", { type: "button" }, text);
      element.addEventListener("click", act);
      return element;
    };
    this.body = make("div", { hidden: true }, this.filter, ...this.groups.values(), this.notes,
      make("p", {}, "Copy report ", button("JSON", () => this.copy("json")), " ", button("Markdown", () => this.copy("text"))));
    this.panel = make("section", { class: "inspector", "aria-label": "Inspector", "data-keep": "" },
      make("header", {}, this.title, button("Close", () => this.toggle())),
      make("p", { class: "hint" }, "Click selects, Enter or a double click opens."), this.body);
  }

  toggle() {
    if (this.panel.isConnected) {
      for (const element of [this.panel, this.outline]) element.remove();
      this.listen(null);
      clearInterval(this.timer);
      this.card = this.pinned = null;
    } else {
      document.body.append(this.outline, this.panel);
      this.panel.querySelector("button").focus();
      this.timer = setInterval(() => this.refresh(), 500);
      this.draw();
    }
    document.documentElement.classList.toggle("inspecting", this.panel.isConnected);
  }

  /** Takes the card under an element; `pin` keeps it while the pointer goes elsewhere. */
  select(target, pin) {
    const element = target.closest?.(".card");
    if (!element) return false;
    const card = this.board.cards.get(element.dataset.key);
    this.pinned = pin;
    if (card === this.card) return true;
    this.card = card;
    this.title.textContent = card.id;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.listen(card);
    this.refresh();
    return true;
  }

  open() {
    this.body.hidden = false;
  }

  remember() {
    const names = GROUPS.filter((name) => this.groups.get(name).open);
    localStorage.setItem(OPEN, JSON.stringify(names));
  }

  /** Its own stamped stream of the one resource: gaps, latency, ticks that brought no frame, and the raw events. */
  listen(card) {
    this.events?.close();
    this.stats = { gaps: [], late: [], empty: 0, lines: [] };
    if (!card) return;
    this.events = new EventSource(`${pathOf(card.key)}/events?stamp`);
    this.events.onmessage = (message) => this.arrived(message);
    for (const name of ["complete", "paused", "resumed", "milestone", "fired", "hello", "removed"]) {
      this.events.addEventListener(name, (message) => this.keep(`event: ${name}\ndata: ${message.data}`));
    }
  }

  keep(text) {
    this.stats.lines.push(text);
    if (this.stats.lines.length > 20) this.stats.lines.shift();
  }

  arrived({ data }) {
    this.keep(`data: ${data}`);
    const { t, seq } = JSON.parse(data);
    const { stats } = this, now = performance.now();
    const gap = now - stats.last;
    stats.last = now;
    if (gap < 500) stats.gaps.push(gap);
    if (t) stats.late.push(feedFrom().now() - serverTime(t));
    if (gap < 500 && seq > stats.seq) stats.empty += seq - stats.seq - 1;
    stats.seq = seq;
    for (const list of [stats.gaps, stats.late]) if (list.length > KEPT) list.shift();
  }

  async refresh() {
    const { card } = this;
    if (!card) return;
    const resource = await read(pathOf(card.key));
    if (card !== this.card || !resource) return;
    card.take(resource);
    const { motion = {}, display = {}, ...rest } = resource;
    const { gaps, late, empty, lines } = this.stats;
    this.write("Value", { ...rest, ...display });
    const { start, duration, delay, repeat, autoreverse, rate, fraction, state, then, ...shape } = motion;
    this.write("Motion", { ...shape, "other easings": EASINGS.join(" "), then: then ?? rest.then });
    this.write("Timing", { state, fraction, start, duration, delay, repeat, autoreverse, rate });
    this.write("Stream", {
      "gap, median": `${middle(gaps, 0.5).toFixed(1)} ms`, "gap, p95": `${middle(gaps, 0.95).toFixed(1)} ms`,
      "latency, median": `${middle(late, 0.5).toFixed(1)} ms`, "ticks without a frame": empty,
      "frames left out on this page": feedFrom().left,
    });
    this.write("Accessibility", this.spoken());
    this.raw.textContent = lines.join("\n\n");
    this.link(then ?? rest.do);
    this.sift();
  }

  spoken() {
    const root = this.card.view.shadowRoot;
    const bar = root.querySelector("[role]");
    return {
      role: bar?.role ?? "text", name: bar?.ariaLabel ?? this.card.id, "value text": bar?.ariaValueText,
      "value now": bar?.ariaValueNow, "spoken when settled": root.querySelector(".spoken")?.textContent,
      direction: getComputedStyle(root.querySelector(".value")).direction,
    };
  }

  /** One row for each attribute; a row's box says whether the report has it. */
  write(group, values) {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === null) continue;
      const key = `${group}: ${name}`;
      if (!this.rows.has(key)) {
        const row = make("label", { class: "row" }, make("input", { type: "checkbox", checked: true }), make("span", {}, name), make("output"));
        this.rows.set(key, row);
        this.groups.get(group).append(row);
      }
      const output = this.rows.get(key).lastChild;
      if (output.textContent !== plain(value)) output.textContent = plain(value);
    }
  }

  /** Follows what an action leads to. */
  link(actions) {
    const targets = (actions ?? []).map((action) => action.ticker ? `ticker:${action.ticker}` : `progress:${action.progress}`);
    this.links?.remove();
    this.links = make("p", { class: "links" }, ...targets.filter((key) => this.board.cards.has(key)).map((key) => {
      const button = make("button", { type: "button" }, `→ ${key}`);
      button.addEventListener("click", () => this.select(this.board.cards.get(key).element, true));
      return button;
    }));
    this.groups.get("Motion").append(this.links);
  }

  sift() {
    const wanted = this.filter.value.toLowerCase();
    for (const [key, row] of this.rows) row.hidden = !`${key} ${row.lastChild.textContent}`.toLowerCase().includes(wanted);
  }

  /** Outline, playhead and graph, at the screen's rate. */
  draw() {
    if (!this.panel.isConnected) return;
    requestAnimationFrame(() => this.draw());
    if (!this.card) return;
    const { left, top, width, height } = this.card.element.getBoundingClientRect();
    const place = { translate: `${left}px ${top}px`, width: `${width}px`, height: `${height}px` };
    for (const [name, value] of Object.entries(place)) {
      if (this.outline.style[name] !== value) this.outline.style[name] = value;
    }
    const { motion } = this.card.resource ?? {};
    if (motion?.duration !== undefined && this.groups.get("Motion").open) {
      const { at } = curveOf(motion);
      const { share } = new Motion(this.card.resource).sample(feedFrom().now());
      if (this.drawn !== motion) this.curve.firstChild.setAttribute("d", curvePath(at, 240, 70));
      this.drawn = motion;
      this.curve.lastChild.setAttribute("cx", share * 240);
      this.curve.lastChild.setAttribute("cy", 70 - ((at(share) + 0.15) / 1.4) * 70);
    }
    const line = this.stats.gaps.map((gap, i) => `${i ? "L" : "M"}${i * 2} ${(70 - Math.min(gap, 70)).toFixed(1)}`);
    this.gaps.firstChild.setAttribute("d", line.join(""));
  }

  copy(form) {
    const items = [...this.rows].filter(([, row]) => row.firstChild.checked)
      .map(([key, row]) => ({ group: key.split(": ")[0], key: key.split(": ")[1], value: row.lastChild.textContent }));
    const { greeting } = feedFrom().status;
    const report = {
      title: this.card?.key, notes: this.notes.value, server: greeting, agent: navigator.userAgent,
      time: new Date().toISOString(), items,
    };
    const head = `# ${report.title}\n\n${report.notes}\n\n${report.agent}, ${report.time}, server ${plain(greeting)}\n`;
    const table = items.map(({ group, key, value }) => `| ${group} | ${key} | ${value.replaceAll("|", "\\|")} |`);
    const text = form === "json" ? JSON.stringify(report, null, 2)
      : [head, "| group | attribute | value |", "|---|---|---|", ...table, ""].join("\n");
    this.report = text;
    return navigator.clipboard.writeText(text);
  }
}
