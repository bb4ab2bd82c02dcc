// The form that starts a ticker, a progress or a schedule, with its easing curve and curl line.
import { curlLine, fetchResource, send } from "./client.js";
import { copy } from "./clipboard.js";
import { make, setText, svg } from "./dom.js";
import { curvePath, curveRange, easingCurve, EASINGS, springCurve } from "./easing.js";
import { feedFrom } from "./feed.js";
import { translate } from "./i18n.js";
import { previewSchedule, showInstants } from "./schedule-preview.js";

/** The size of the curve's drawing. */
const GRAPH = { width: 240, height: 90 };

/** Milliseconds without a change after which a schedule is previewed. */
const PREVIEW_DELAY = 400;

const NUMBER = { type: "number", step: "any" };
const SECONDS = { ...NUMBER, min: 0, max: 1e6 };
const NAME = { required: "", maxlength: 128, pattern: "[A-Za-z0-9._~:\\-]+", spellcheck: "false" };

/** Fields: name, label, attributes or choices, and the kinds that have the field. */
const FIELDS = [
  ["shape", "Show as", ["ticker", "bar", "pie", "ring", "schedule"]],
  ["id", "Name", { ...NAME, value: "demo" }],
  ["label", "Label", { placeholder: "Temperature: 13F", maxlength: 4096 }],
  ["when", "Due", ["in", "every", "at", "cron"], "schedule"],
  ["time", "Seconds", { value: "10", required: "" }, "schedule"],
  ["target", "Ticker", { ...NAME, value: "demo" }, "schedule"],
  ["way", "Move", ["to", "by"]],
  ["to", "Number", { ...NUMBER, value: "1850", required: "" }],
  ["maximum", "Maximum", { ...NUMBER, min: 0, placeholder: "100" }, "progress"],
  ["duration", "Duration", { ...SECONDS, value: "2", required: "" }],
  ["easing", "Curve", EASINGS],
  ["damping", "Damping", { ...NUMBER, value: ".5", min: 0, max: 1000, required: "" }, "spring"],
  ["velocity", "Velocity", { ...NUMBER, value: "0", required: "" }, "spring"],
];
const MORE_FIELDS = [
  ["decimals", "Decimals", { type: "number", min: 0, max: 20 }, "ticker"],
  ["from", "From", { ...NUMBER }, "track"],
  ["delay", "Delay", SECONDS, "track"],
  ["repeat", "Repeat", { pattern: "\\d+|forever", placeholder: "0, forever" }, "track"],
  ["autoreverse", "There and back", { type: "checkbox" }, "track"],
  ["notation", "Style", ["", "currency", "percent", "compact"], "ticker"],
  ["currency", "Currency", { placeholder: "EUR", maxlength: 3, pattern: "[A-Za-z]{3}" }, "ticker"],
  ["locale", "Locale", { placeholder: "de-DE", maxlength: 64 }, "ticker"],
  ["next", "Then move ticker", { ...NAME, required: undefined }, "track"],
  ["nextTo", "to", { ...NUMBER }, "track"],
];

/** The label and initial value of a schedule's time.
 *  @type {Record<string, [string, string]>} */
const TIMES = {
  in: ["Seconds", "10"],
  every: ["Seconds", "60"],
  at: ["Date", "2030-01-01T00:00:00Z"],
  cron: ["Cron expression", "0 3 * * *"],
};

export class StartForm {
  /** The schedule of the last preview, as JSON.
   *  @type {string | undefined} */
  #previewed;
  /** @type {number | undefined} */
  #previewing;
  #form;
  #curve;
  #ends;
  #graph;
  #line;
  #heading;
  #output;
  #nameHint;
  #more;
  #hasProblem = false;

  /** @param {HTMLFormElement} form
   *  @param {() => void} close */
  constructor(form, close) {
    this.#form = form;
    this.#curve = make("path");
    this.#ends = make("path", { class: "ends" });
    this.#graph = svg(`0 0 ${GRAPH.width} ${GRAPH.height}`, this.#ends, this.#curve);
    this.#graph.classList.add("graph");
    this.#line = make(
      "code",
      { class: "line", tabindex: 0, role: "group", "aria-label": translate("The same with curl") }
    );
    this.#heading = make("h2", {}, translate("Start something"));
    const closing = make("button", { type: "button", click: close }, translate("Close"));
    this.#output = make("div", { role: "status", class: "told" });
    this.#nameHint = make("p", { class: "rule", id: "rule" }, translate("Letters, digits and . _ ~ : -"));
    const copying = make(
      "button", { type: "button", click: () => copy(this.#line.textContent, copying) }, translate("Copy")
    );
    this.#more = make(
      "details",
      {},
      make("summary", {}, translate("More")),
      ...MORE_FIELDS.map((field) => this.#field(field))
    );
    const start = make("button", { class: "primary" }, translate("Start"));
    form.append(
      make("div", { class: "title" }, this.#heading, closing), ...FIELDS.map((field) => this.#field(field)),
      this.#graph, this.#more, make("div", { class: "go" }, start, copying), this.#line, this.#output
    );
    this.#input("id").parentElement.after(this.#nameHint);
    this.#input("id").setAttribute("aria-describedby", "rule");
    this.#input("easing").value = "easeOut";
    form.addEventListener("input", ({ target }) => this.#change(target));
    form.addEventListener("submit", (event) => this.#submit(event));
    this.#draw();
  }

  /** Says whether the form starts something new or changes a resource. */
  #updateHeading() {
    const { shape, id } = this.#values();
    const kind = shape === "ticker" || shape === "schedule" ? shape : "progress";
    const isEdited = this.#form.dataset.edits === `${kind}:${id}`;
    setText(this.#heading, isEdited ? translate("Change {id}", { id }) : translate("Start something"));
  }

  /** @param {string} name
   *  @returns {any} */
  #input(name) {
    return this.#form.elements.namedItem(name);
  }

  /** @param {any[]} field */
  #field([name, text, how, kind = ""]) {
    const attributes = Object.fromEntries(
      Object.entries(how).filter(([, value]) => value !== undefined)
    );
    const control = Array.isArray(how)
      ? make(
        "select",
        { name },
        ...how.map((value) => make("option", { value }, translate(value || "like the label")))
      )
      : make("input", { name, ...attributes });
    const caption = make("span", {}, translate(text));
    return make(
      "label",
      { "data-kind": kind, class: how.type === "checkbox" ? "check" : "" },
      caption,
      control
    );
  }

  /** @param {EventTarget | null} target the field that changed */
  #change(target) {
    const when = this.#input("when");
    if (target === when) this.#input("time").value = TIMES[when.value][1];
    if (this.#hasProblem) feedFrom().dispatchEvent(new CustomEvent("request", { detail: { line: "", problem: "" } }));
    this.#hasProblem = false;
    this.#updateHeading();
    this.#draw();
  }

  /** Shows the fields of what is started, its curve and its curl line, or why the form is invalid. */
  #draw() {
    const form = this.#form;
    const { shape, easing, when, duration, damping, velocity } = this.#values();
    const isSchedule = shape === "schedule";
    const isSpring = easing === "spring" && !isSchedule;
    const isProgress = !isSchedule && shape !== "ticker";
    const kinds = [
      "", isSchedule ? "schedule" : "track", isProgress ? "progress" : shape, isSpring ? "spring" : "",
    ];
    for (const label of form.querySelectorAll("label")) {
      const applies = kinds.includes(label.dataset.kind ?? "");
      label.hidden = !applies || (
        isSchedule && /^(easing|duration)$/.test(label.control?.getAttribute("name") ?? "")
      );
      // A hidden field must not make the form invalid.
      if (label.control) /** @type {HTMLInputElement} */ (label.control).disabled = label.hidden;
    }
    setText(this.#input("duration").previousElementSibling, translate(isSpring ? "Response" : "Duration"));
    setText(this.#input("time").previousElementSibling, translate(TIMES[when ?? "in"][0]));
    this.#graph.style.display = isSchedule ? "none" : "";
    this.#more.hidden = isSchedule;
    if (!isSchedule) {
      const spring = springOf({ damping, duration, velocity });
      this.#plot(isSpring ? springCurve(spring) : easingCurve(easing));
    }
    const wrong = /** @type {HTMLInputElement | null} */ (form.querySelector("input:invalid"));
    const { method, path, body } = requestOf(this.#values());
    const why = wrong && `${wrong.previousElementSibling?.textContent}: ${wrong.validationMessage}`;
    setText(this.#line, why || curlLine(method, path, JSON.stringify(body)));
    this.#preview(isSchedule && !wrong ? body : undefined);
  }

  /** Previews when a schedule comes due, once typing pauses.
   *  @param {object | undefined} definition undefined if there is nothing to preview */
  #preview(definition) {
    const text = JSON.stringify(definition);
    if (text === this.#previewed) return;
    this.#previewed = text;
    setText(this.#output, "");
    clearTimeout(this.#previewing);
    if (!definition) return;
    this.#previewing = setTimeout(() => previewSchedule(this.#output, definition), PREVIEW_DELAY);
  }

  /** Draws a curve as large as fits, with lines at its start and its target.
   *  @param {import("./easing.js").Curve} curve */
  #plot(curve) {
    const { width, height } = GRAPH;
    const [low, high] = curveRange(curve);
    const lines = [0, 1].map((end) => `M0 ${height * (1 - (end - low) / (high - low))}H${width}`);
    this.#ends.setAttribute("d", lines.join(""));
    this.#curve.setAttribute("d", curvePath(curve, width, height, low, high));
  }

  /** @returns {Record<string, string>} */
  #values() {
    return /** @type {any} */ (Object.fromEntries(new FormData(this.#form)));
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    const { shape, id } = this.#values();
    const { method, path, body } = requestOf(this.#values());
    clearTimeout(this.#previewing);
    // The form shows the curl line already; the page shows the problem.
    const made = await send(method, path, body, true);
    this.#hasProblem = !made;
    if (!made) setText(this.#output, "");
    if (!made || shape !== "schedule") return;
    const { next } = (await fetchResource(`schedule:${id}`)) ?? {};
    if (next) showInstants(this.#output, next);
  }
}

// MARK: Requests

/** A number for JSON; one that a double can't represent stays a string.
 *  @param {string} text
 *  @returns {number | string} */
function numberOf(text) {
  const typed = text.trim();
  const value = Number(typed);
  const [digits] = /^-?\d+(\.\d+)?$/.exec(typed) ?? [];
  const isExact = digits === undefined || `${value}` === digits
    || Number(digits).toPrecision(15).length >= digits.length;
  return isExact ? value : typed;
}

/** Without undefined members.
 *  @template {object} T
 *  @param {T} value
 *  @returns {Partial<T>} */
function filled(value) {
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
  );
}

/** @param {string | undefined} text
 *  @returns {number | string | undefined} undefined for an empty field */
const optional = (text) => (text ? numberOf(text) : undefined);

/** @typedef {{method: string, path: string, body: object}} FormRequest */

/** @param {Record<string, string>} fields by their names
 *  @returns {FormRequest} */
function requestOf(fields) {
  const id = encodeURIComponent(fields.id ?? "");
  const { shape } = fields;
  if (shape === "schedule") {
    return { method: "PUT", path: `/v1/schedules/${id}`, body: scheduleOf(fields) };
  }
  const motion = motionOf(fields, shape === "ticker" ? "to" : "current");
  return shape === "ticker"
    ? { method: "POST", path: `/v1/tickers/${id}`, body: { ...motion, ...faceOf(fields) } }
    : {
      method: "POST", path: `/v1/progress/${id}`,
      body: { ...motion, ...filled({ maximum: optional(fields.maximum) }), appearance: { shape } },
    };
}

/** A spring needs a response above 0.
 *  @param {Record<string, string>} fields */
function springOf({ damping, duration, velocity }) {
  return { dampingRatio: +damping, response: +duration || 0.01, initialVelocity: +velocity };
}

/** @param {Record<string, string>} fields
 *  @param {string} target the name of the target's field in the API */
function motionOf(fields, target) {
  const { way, to, from, duration, easing, damping, velocity } = fields;
  const { label, delay, repeat, autoreverse, next, nextTo } = fields;
  const timing = easing === "spring"
    ? { spring: springOf({ damping, duration, velocity }) }
    : { duration: +duration, easing };
  return filled({
    [way === "by" ? "by" : target]: numberOf(to ?? ""),
    from: optional(from),
    ...timing,
    label: label || undefined,
    delay: optional(delay),
    repeat: repeat === "forever" ? repeat : optional(repeat),
    autoreverse: autoreverse ? true : undefined,
    then: next && nextTo ? [{ ticker: next, to: numberOf(nextTo) }] : undefined,
  });
}

/** @param {Record<string, string>} fields */
function faceOf({ decimals, notation, currency, locale }) {
  const format = filled({
    style: notation || undefined,
    currency: currency ? currency.toUpperCase() : undefined,
    locale: locale || undefined,
  });
  return filled(
    { decimals: optional(decimals), format: Object.keys(format).length ? format : undefined }
  );
}

/** @param {Record<string, string>} fields */
function scheduleOf({ when, time, label, target, way, to }) {
  const isText = when === "at" || when === "cron";
  const due = { [when === "cron" ? "every" : when]: isText ? time : numberOf(time ?? "") };
  return filled(
    { ...due, label: label || undefined, do: [{ ticker: target, [way]: numberOf(to ?? "") }] }
  );
}
