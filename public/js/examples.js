// The page of examples: what each element makes, beside its markup.
import { copy } from "./clipboard.js";
import { followPace, setPace } from "./embedding.js";
import { make, write } from "./tween-element.js";
import { feedFrom } from "./feed.js";
import { GERMAN } from "./examples-translations.js";
import { addressOf, ROOT } from "./base-url.js";
import { askFor, problemOf } from "./session.js";
import { learn, translate, words } from "./i18n.js";
import "./tween-marquee.js";

/** Where the server stands in code that is written for any. */
const ANY = "https://tweens.example/";
/** Lines that the log of events has. */
const LINES = 6;

/** What the examples show, as it is made where it isn't there. */
const RESOURCES = {
  "v1/tickers/revenue": { label: "$1,204.50", to: 2310.75, decimals: 2, duration: 4 },
  "v1/progress/download": { current: 75, maximum: 100, duration: 20 },
  "v1/schedules/next-sale": {
    every: 5, label: "next sale in 5 s", do: [{ ticker: "revenue", by: "137.25", duration: 2 }],
  },
};

learn({ de: GERMAN });
translate(document);

/** @param {string} selector
 *  @returns {any} */
const find = (selector) => document.querySelector(selector);

// MARK: Examples

/** @param {string} text */
function codeOf(text) {
  const code = make("pre", { tabindex: 0, role: "group", "aria-label": words("Code") }, text);
  const button = make("button", { click: () => copy(text, button) }, words("Copy"));
  return make("div", {}, code, button);
}

/** @param {string} markup as a browser writes it: attributes without a value have an empty one */
const plain = (markup) => markup.trim().replaceAll('=""', "").replaceAll('="v1/', `="${ROOT}v1/`);

for (const section of document.querySelectorAll("main > section")) {
  const template = section.querySelector("template");
  const codes = [...section.querySelectorAll("pre")];
  const texts = codes.map(({ textContent }) => (textContent ?? "").replaceAll(ANY, ROOT));
  for (const code of codes) code.remove();
  section.append(make("div", {}, ...section.childNodes));
  if (template) {
    const live = make("div", { class: "live" }, template.content.cloneNode(true));
    template.before(live);
    texts.unshift(plain(template.innerHTML));
    section.querySelector("[name=again]")?.addEventListener("click", () => {
      live.replaceChildren(template.content.cloneNode(true));
    });
  }
  section.append(make("div", { class: "code" }, ...texts.map(codeOf)));
}

// MARK: What is told

for (const name of ["complete", "fired", "stale", "connected", "paused", "resumed", "removed"]) {
  // Those that don't bubble are heard on their way down.
  document.addEventListener(name, (event) => {
    const { target, detail } = /** @type {CustomEvent} */ (event);
    if (!(target instanceof Element) || !/^tween-/.test(target.localName)) return;
    const { ticker, progress, schedule, reason } = detail;
    const said = [name, ticker ?? progress ?? schedule, reason].filter(Boolean).join(" · ");
    find("#log").prepend(make("li", {}, said));
    while (find("#log").children.length > LINES) find("#log").lastChild.remove();
    find("#missing").hidden = !missing().length;
  }, { capture: true });
}

find("tween-marquee").addEventListener("tweenselect", (/** @type {CustomEvent} */ { detail }) => {
  const names = detail.selected.map((/** @type {Element} */ { textContent }) => textContent);
  write(find("#chosen"), names.join(", ") || "–");
});

followPace((pace) => {
  find("#pace").value = pace;
});
find("#pace").addEventListener("change", () => setPace(find("#pace").value));

// MARK: What isn't there

/** @returns {(keyof typeof RESOURCES)[]} */
function missing() {
  const paths = /** @type {(keyof typeof RESOURCES)[]} */ (Object.keys(RESOURCES));
  return paths.filter((path) => find(`:is([stale=missing], [stale=removed])[src="${path}"]`));
}

find("#missing button").addEventListener("click", async () => {
  const problem = find("#missing [role=alert]");
  write(problem, "");
  for (const path of missing()) {
    const answer = await fetch(addressOf(path), {
      method: path.includes("schedules") ? "PUT" : "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(RESOURCES[path]),
    }).catch(() => null);
    if (answer?.ok) continue;
    const text = await problemOf(answer);
    if (answer?.status === 401) askFor(text, true);
    return write(problem, text);
  }
});

const feed = feedFrom();
feed.addEventListener("status", () => {
  const { state, detail = "" } = feed.status;
  if (state === "asked") askFor(words(detail));
});
