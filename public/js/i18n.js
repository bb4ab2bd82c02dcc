// Translations. The English text is the key; each other language has a table that only its readers load. Texts from
// the server are not translated.

/** @type {Record<string, Record<string, string>>} */
const TRANSLATIONS = { de: {} };
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/;

/** The reader's language: from the address, the settings, or the browser. */
function preferredLanguage() {
  const requested = new URLSearchParams(location.search).get("lang");
  const { lang } = JSON.parse(localStorage.getItem("tweencast.settings") ?? "{}");
  const tag = requested || lang || navigator.language;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "en";
  } catch {
    return "en";
  }
}

const tag = preferredLanguage();
const table = TRANSLATIONS[tag.split("-")[0]];
if (table) Object.assign(table, (await import("./german-translations.js").catch(() => undefined))?.GERMAN);
/** The language of texts and numbers; English if the reader's is not available.
 *  @type {string} */
export const language = table || tag.startsWith("en") ? tag : "en";

/** A text in the reader's language; `{name}` is replaced by a value.
 *  @param {string} english
 *  @param {Record<string, unknown>} values
 *  @returns {string} */
export function translate(english, values = {}) {
  return (table?.[english] ?? english).replace(/\{(\w+)\}/g, (_all, name) => `${values[name]}`);
}

/** Adds translations, before the page is translated.
 *  @param {Record<string, Record<string, string>>} tables by language
 *  @returns {void} */
export function addTranslations(tables) {
  for (const [name, more] of Object.entries(tables)) Object.assign(TRANSLATIONS[name] ?? {}, more);
}

/** Translates the texts of markup.
 *  @param {Document | Element} root
 *  @returns {void} */
export function translateMarkup(root) {
  if (root === document) {
    const side = new URLSearchParams(location.search).get("dir") ?? (RIGHT_TO_LEFT.test(tag) ? "rtl" : "ltr");
    document.documentElement.dir = side === "rtl" ? "rtl" : "ltr";
    document.documentElement.lang = language;
  }
  if (!table) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Element) {
      for (const name of ["aria-label", "placeholder"]) {
        const text = node.getAttribute(name);
        if (text) node.setAttribute(name, translate(text));
      }
    } else {
      const text = node.nodeValue?.trim().replace(/\s+/g, " ");
      if (text && table[text]) node.nodeValue = node.nodeValue?.replace(/\S[^]*\S|\S/, table[text]) ?? "";
    }
  }
}

const SPANS = /** @type {const} */ ([["second", 60], ["minute", 60], ["hour", 24], ["day", Infinity]]);
const relative = new Intl.RelativeTimeFormat(language, { style: "short", numeric: "auto" });

/** The age of something, such as `2 min. ago`.
 *  @param {number} milliseconds
 *  @returns {string} */
export function formatAge(milliseconds) {
  let amount = milliseconds / 1000;
  for (const [unit, most] of SPANS) {
    // An age that changes every second would distract.
    if (unit === "second" && amount < 10) return relative.format(0, "second");
    if (amount < most) return relative.format(-(unit === "second" ? Math.floor(amount / 10) * 10 : Math.floor(amount)), unit);
    amount /= most;
  }
  return "";
}

/** A target behind an arrow in reading direction, for a left-to-right line.
 *  @param {string} goal
 *  @returns {string} */
export const arrowTo = (goal) => document.dir === "rtl" ? `${goal} ←` : `→ ${goal}`;

/** A number in the reader's format; anything else stays as it is.
 *  @param {number | string} number
 *  @returns {string} */
export function formatNumber(number) {
  const [plain, decimals = ""] = /^-?\d+(?:\.(\d{1,20}))?$/.exec(`${number}`) ?? [];
  if (plain === undefined) return `${number}`;
  return new Intl.NumberFormat(language, { minimumFractionDigits: decimals.length })
    .format(Number(number));
}

/** The decimals of a number as it is written, in any script's digits.
 *  @param {string} text
 *  @param {number} value tells a decimal separator from a thousands separator
 *  @returns {number} */
export function decimalsOf(text, value) {
  const [, separator, decimals = ""] = /([.,٫])(\p{Nd}+)\P{Nd}*$/u.exec(text) ?? [];
  if (decimals.length !== 3 || separator === "٫") return decimals.length;
  const whole = Number(text.replace(/\D/g, ""));
  const isGrouped = text.split(separator).length > 2 || Math.abs(Math.abs(value) - whole) < 1;
  return isGrouped ? 0 : decimals.length;
}

const enumeration = new Intl.ListFormat(language);

/** A list of names.
 *  @param {readonly string[]} names
 *  @returns {string} */
export const formatList = (names) => enumeration.format(names);

/** A difference with an arrow and its sign.
 *  @param {number} difference
 *  @param {number} decimals those of the number itself
 *  @returns {string} empty if it rounds to zero */
export function formatChange(difference, decimals) {
  const isLong = Math.abs(difference) >= 1e6;
  const text = new Intl.NumberFormat(language, {
    signDisplay: "exceptZero", maximumFractionDigits: Math.min(isLong ? 1 : decimals, 20), notation: isLong ? "compact" : "standard",
  }).format(difference);
  if (!/[1-9]/.test(text)) return "";
  return `${difference > 0 ? "▲" : "▼"} ${text}`;
}
