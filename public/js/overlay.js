// A page with one number, bar, pie or ring and nothing else, to be laid over a picture. The address says which, and
// how it looks; parameters with invalid values are ignored.
import { urlFor } from "./base-url.js";
import { defineOwnElements } from "./components.js";
import { make, setText } from "./dom.js";
import { translate, translateMarkup } from "./i18n.js";

/** The path of each kind.
 *  @type {Record<string, string>} */
const LISTS = { ticker: "tickers", progress: "progress", schedule: "schedules" };
const CHOICES = {
  style: ["shadow", "plain", "outline", "box"],
  align: ["center", "start", "end"],
  stale: ["fade", "hide", "keep"],
  shape: ["", "bar", "pie", "ring"],
};
/** Font size in pixels. */
const SIZE = { normal: 72, least: 8, most: 1000 };
/** The most characters of a label. */
const LONGEST = 200;

const params = new URLSearchParams(location.search);

/** @param {string} name */
const param = (name) => params.get(name) ?? "";

/** The value of a parameter, or the first one allowed.
 *  @param {keyof typeof CHOICES} name */
const choice = (name) =>
  CHOICES[name].find((value) => value === param(name)) ?? CHOICES[name][0];

/** A CSS colour, or its hexadecimal digits; nothing that could request a URL.
 *  @param {string} name */
function colour(name) {
  const text = param(name);
  return [text, `#${text}`].find(
    (value) => /^#?\w+(\([\d\s.,%/a-z-]*\))?$/i.test(value) && CSS.supports("color", value)
      && !value.startsWith("var")
  );
}

function size() {
  const pixels = Number(param("size"));
  return pixels >= SIZE.least && pixels <= SIZE.most ? pixels : SIZE.normal;
}

/** The element for the resource of the address; undefined if it names none.
 *  @returns {any} */
function shown() {
  const kind = Object.keys(LISTS).find((name) => params.get(name));
  if (!kind) return undefined;
  const view = make(`tween-${kind}`);
  if (kind === "ticker" && params.has("wheels")) view.setAttribute("wheels", param("wheels"));
  if (kind === "progress") {
    const looks = { shape: choice("shape"), color: colour("color"), height: `${size() / 4}` };
    for (const [name, value] of Object.entries(looks)) if (value) view.setAttribute(name, value);
  }
  const id = encodeURIComponent(param(kind));
  view.setAttribute("src", urlFor(`/v1/${LISTS[kind]}/${id}`));
  return view;
}

function style() {
  const { dataset, style: own } = document.body;
  dataset.look = choice("style");
  dataset.stale = choice("stale");
  // Left and right are synonyms.
  dataset.align = { left: "start", right: "end" }[param("align")] ?? choice("align");
  own.fontSize = `${size()}px`;
  const font = param("font");
  if (/^[\p{L}\p{N} ._-]{1,64}$/u.test(font)) own.setProperty("--font", `"${font}"`);
  for (const [name, property] of [["color", "--shade"], ["ground", "--ground"]]) {
    const value = colour(name);
    if (value) own.setProperty(property, value);
  }
}

defineOwnElements();
translateMarkup(document);
style();
const view = shown();
const label = make("p");
setText(label, view ? param("label").slice(0, LONGEST)
  : translate("Choose a resource: ?ticker=revenue, ?progress=build or ?schedule=tea"));
label.hidden = !label.textContent;
document.body.append(make("main", { class: "shown" }, label, ...(view ? [view] : [])));
