// A page with one number, bar, pie or ring and nothing else, to be laid over a picture: which, and
// how it looks, is in the address. What the address can't mean counts as not there.
import { registerOwn } from "./components.js";
import { make, write } from "./tween-element.js";
import { addressOf } from "./base-url.js";
import { translate, words } from "./i18n.js";

/** What the service calls all of a kind.
 *  @type {Record<string, string>} */
const LISTS = { ticker: "tickers", progress: "progress", schedule: "schedules" };
const CHOICES = {
  style: ["shadow", "plain", "outline", "box"],
  align: ["center", "start", "end"],
  stale: ["fade", "hide", "keep"],
  shape: ["", "bar", "pie", "ring"],
};
/** Pixels of a font. */
const SIZE = { usual: 72, least: 8, most: 1000 };
/** Characters of a text over the number. */
const LONGEST = 200;

const asked = new URLSearchParams(location.search);

/** @param {string} name */
const askedFor = (name) => asked.get(name) ?? "";

/** One of a parameter's choices, the first unless another is asked for.
 *  @param {keyof typeof CHOICES} name */
const choice = (name) =>
  CHOICES[name].find((value) => value === askedFor(name)) ?? CHOICES[name][0];

/** A colour of CSS, or the digits of one; nothing that could ask for an address.
 *  @param {string} name */
function colour(name) {
  const text = askedFor(name);
  return [text, `#${text}`].find(
    (value) => /^#?\w+(\([\d\s.,%/a-z-]*\))?$/i.test(value) && CSS.supports("color", value)
      && !value.startsWith("var")
  );
}

function size() {
  const pixels = Number(askedFor("size"));
  return pixels >= SIZE.least && pixels <= SIZE.most ? pixels : SIZE.usual;
}

/** The element that shows what is asked for; nothing where that is nothing.
 *  @returns {any} */
function shown() {
  const kind = Object.keys(LISTS).find((name) => asked.get(name));
  if (!kind) return undefined;
  const view = make(`tween-${kind}`);
  if (kind === "ticker" && asked.has("wheels")) view.setAttribute("wheels", askedFor("wheels"));
  if (kind === "progress") {
    const looks = { shape: choice("shape"), color: colour("color"), height: `${size() / 4}` };
    for (const [name, value] of Object.entries(looks)) if (value) view.setAttribute(name, value);
  }
  const id = encodeURIComponent(askedFor(kind));
  view.setAttribute("src", addressOf(`/v1/${LISTS[kind]}/${id}`));
  return view;
}

function style() {
  const { dataset, style: own } = document.body;
  dataset.look = choice("style");
  dataset.stale = choice("stale");
  // Left and right are words that people try.
  dataset.align = { left: "start", right: "end" }[askedFor("align")] ?? choice("align");
  own.fontSize = `${size()}px`;
  const font = askedFor("font");
  if (/^[\p{L}\p{N} ._-]{1,64}$/u.test(font)) own.setProperty("--font", `"${font}"`);
  for (const [name, property] of [["color", "--shade"], ["ground", "--ground"]]) {
    const value = colour(name);
    if (value) own.setProperty(property, value);
  }
}

registerOwn();
translate(document);
style();
const view = shown();
const label = make("p");
write(label, view ? askedFor("label").slice(0, LONGEST)
  : words("Say which number: ?ticker=revenue, ?progress=build or ?schedule=tea"));
label.hidden = !label.textContent;
document.body.append(make("main", { class: "shown" }, label, ...(view ? [view] : [])));
