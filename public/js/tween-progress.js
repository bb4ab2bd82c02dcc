// <tween-progress src="…/v1/progress/id">: a bar, pie or ring whose title may sit on any side of it.
// Looks come from attributes (`shape`, `title-direction`, `height`, `ends`, `legend`), else from the server's appearance.
import { make, svg, TweenElement } from "./element.js";
import { Estimate } from "./rate.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host { display: block; --tween-color: currentColor; --tween-track: color-mix(in srgb, currentColor 16%, transparent); }
.body { display: grid; gap: .45em .75em; align-items: center; }
.body[data-title=top] { grid-template: "title" "track" / minmax(0, 1fr); }
.body[data-title=bottom] { grid-template: "track" "title" / minmax(0, 1fr); }
.body[data-title=left] { grid-template: "title track" / auto minmax(3em, 1fr); }
.body[data-title=right] { grid-template: "track title" / minmax(3em, 1fr) auto; }
.body:has(svg)[data-title=left] { grid-template-columns: minmax(0, 1fr) auto; }
.body:has(svg)[data-title=right] { grid-template-columns: auto minmax(0, 1fr); }
.value { grid-area: title; }
.track { grid-area: track; min-width: 0; }
.bar { position: relative; overflow: hidden; height: var(--tween-height, 12px); background: var(--tween-track); }
.round .bar, .round .fill { border-radius: 1e3px; }
.fill { position: absolute; inset: 0; background: var(--tween-color); transform: translateX(-100%); }
:host(:dir(rtl)) .fill { transform: translateX(100%); }
.legend .fill::after { content: ""; position: absolute; inset-block: 25%; inset-inline-end: calc(var(--tween-height, 12px) / 4);
  aspect-ratio: 1; border-radius: 50%; background: var(--tween-legend, Canvas); }
.disc { display: block; width: var(--tween-size, 4.5em); height: var(--tween-size, 4.5em); overflow: visible; }
.edge { fill: none; stroke: var(--tween-color); stroke-width: var(--tween-edge, 1); vector-effect: non-scaling-stroke; }
.sector { fill: var(--tween-color); }
.groove, .arc { fill: none; stroke: var(--tween-track); stroke-width: var(--tween-stroke, 14); }
.arc { stroke: var(--tween-color); }
.round .arc { stroke-linecap: round; }
.note { font-size: var(--tween-note-size, .8em); opacity: .75; }
.note:empty { display: none; }
.unknown .fill { width: 35%; animation: pass 1.6s ease-in-out infinite; }
.unknown svg { animation: turn 1.6s linear infinite; }
@keyframes pass { from { transform: translateX(-100%) } to { transform: translateX(290%) } }
@keyframes turn { to { transform: rotate(1turn) } }
@media (prefers-reduced-motion: reduce) { .unknown .fill { animation: none; width: 100%; transform: none; opacity: .4 } .unknown svg { animation: none } }
:host([paused]) .fill, :host([paused]) svg { animation-play-state: paused; }
`);

/** The outline of a sector of the unit disc, from twelve o'clock clockwise. */
export function sectorPath(fraction) {
  const share = Math.min(1, Math.max(0, fraction));
  if (share === 0) return "";
  if (share === 1) return "M0-50A50 50 0 1 1 0 50A50 50 0 1 1 0-50Z";
  const angle = share * 2 * Math.PI;
  const x = 50 * Math.sin(angle), y = -50 * Math.cos(angle);
  return `M0 0L0-50A50 50 0 ${share > 0.5 ? 1 : 0} 1 ${x.toFixed(4)} ${y.toFixed(4)}Z`;
}

export class TweenProgress extends TweenElement {
  static observedAttributes = ["src", "shape", "title-direction", "height", "ends", "legend", "label"];
  static sheets = [...TweenElement.sheets, sheet];

  build(root) {
    this.moving = make("span", { part: "value", class: "value", dir: "auto", "aria-hidden": "true" });
    this.track = make("div", { part: "track", class: "track", role: "progressbar" });
    this.body = make("div", { class: "body" }, this.moving, this.track);
    this.note = make("span", { part: "note", class: "note" });
    this.fallback = make("slot");
    this.estimate = new Estimate();
    root.append(this.body, this.note, this.fallback);
  }

  follow() {
    this.restyle();
    super.follow();
  }

  /** Looks as the server hands them out; attributes win. */
  set appearance(looks) {
    this.looks = looks ?? {};
    this.restyle();
  }

  look(attribute, key, otherwise) {
    return this.getAttribute(attribute) ?? this.looks?.[key] ?? otherwise;
  }

  restyle() {
    const shape = this.look("shape", "shape", "bar");
    this.body.dataset.title = this.look("title-direction", "titleDirection", shape === "bar" ? "top" : "right");
    this.body.classList.toggle("round", this.look("ends", "ends", "round") !== "flat");
    const legend = this.look("legend", "legend", false);
    this.body.classList.toggle("legend", legend !== false && legend !== "false");
    const looks = this.looks ?? {};
    const sizes = {
      "--tween-height": this.look("height", "height"), "--tween-stroke": looks.strokeWidth,
    };
    for (const [name, value] of Object.entries(sizes)) {
      if (Number(value) >= 0 && Number(value) <= 400) this.body.style.setProperty(name, name.endsWith("height") ? `${value}px` : value);
    }
    for (const [name, value] of [["--tween-color", looks.color], ["--tween-track", looks.trackColor]]) {
      if (typeof value === "string" && CSS.supports("color", value)) this.body.style.setProperty(name, value);
    }
    this.track.setAttribute("aria-label", this.getAttribute("label") ?? this.resource?.key.split(":")[1] ?? "progress");
    if (shape !== this.shape) this.reshape(shape);
  }

  reshape(shape) {
    this.shape = shape;
    this.fill = make("div", { part: "fill", class: "fill" });
    if (shape === "pie") {
      this.fill = svg("path", { part: "fill", class: "sector" });
      this.track.replaceChildren(this.disc(svg("circle", { class: "edge", r: 50 }), this.fill));
    } else if (shape === "ring") {
      this.fill = svg("circle", { part: "fill", class: "arc", r: 43, pathLength: 1, transform: "rotate(-90)" });
      this.track.replaceChildren(this.disc(svg("circle", { class: "groove", r: 43 }), this.fill));
    } else {
      this.track.replaceChildren(make("div", { class: "bar", part: "bar" }, this.fill));
    }
    if (this.current) this.draw(this.current);
  }

  disc(...children) {
    return svg("svg", { class: "disc", viewBox: "-51 -51 102 102", "aria-hidden": "true" }, ...children);
  }

  frame(data) {
    const first = !this.current;
    this.current = data;
    this.fallback.hidden = true;
    this.draw(data);
    this.estimate.take(data, performance.now());
    if (first || !(performance.now() - this.said < 1000)) this.speak(data);
    this.settleSoon(data.text);
  }

  draw(data) {
    if (this.moving.textContent !== data.text) this.moving.textContent = data.text;
    const known = typeof data.fraction === "number";
    this.body.classList.toggle("unknown", !known);
    const fraction = known ? Math.min(1, Math.max(0, data.fraction)) : 0.25;
    if (this.shape === "pie") {
      this.fill.setAttribute("d", sectorPath(fraction));
    } else if (this.shape === "ring") {
      this.fill.setAttribute("stroke-dasharray", `${fraction} 2`);
      this.fill.setAttribute("visibility", fraction ? "visible" : "hidden");
    } else {
      const way = this.matches(":dir(rtl)") ? 1 : -1;
      this.fill.style.transform = known ? `translateX(${(way * (1 - fraction) * 100).toFixed(3)}%)` : "";
    }
  }

  /** Assistive technology gets the value once a second and at rest; none while it is indeterminate. */
  speak(data) {
    this.said = performance.now();
    const known = typeof data.fraction === "number";
    this.track.toggleAttribute("aria-busy", !known);
    if (known) {
      this.track.setAttribute("aria-valuenow", Math.round(Math.min(1, Math.max(0, data.fraction)) * 100));
      this.track.setAttribute("aria-valuetext", data.text);
    } else {
      this.track.removeAttribute("aria-valuenow");
      this.track.removeAttribute("aria-valuetext");
    }
    if (this.hasAttribute("rate")) this.note.textContent = this.estimate.text(data, performance.now());
  }

  settle(text) {
    if (this.current) this.speak({ ...this.current, text: text ?? this.current.text });
  }
}
