// The page's words by language. English stands where it is used; another language is a table by it,
// which only its readers load. What the service says is the service's.

/** @type {Record<string, Record<string, string>>} */
const TABLES = { de: {} };
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/;

/** What the reader wants: by the address, the settings, the browser. */
function wanted() {
  const asked = new URLSearchParams(location.search).get("lang");
  const { lang } = JSON.parse(localStorage.getItem("tweencast.settings") ?? "{}");
  const tag = asked || lang || navigator.language;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "en";
  } catch {
    return "en";
  }
}

const tag = wanted();
const table = TABLES[tag.split("-")[0]];
if (table) Object.assign(table, (await import("./german-translations.js")).GERMAN);
/** Whose words and numbers the page has: English where it doesn't know the reader's.
 *  @type {string} */
export const language = table || tag.startsWith("en") ? tag : "en";

/** A text in the reader's language, with values in place of names in braces.
 *  @param {string} english
 *  @param {Record<string, unknown>} values
 *  @returns {string} */
export function words(english, values = {}) {
  return (table?.[english] ?? english).replace(/\{(\w+)\}/g, (_all, name) => `${values[name]}`);
}

/** Adds the words of one page, before it is translated.
 *  @param {Record<string, Record<string, string>>} tables by language
 *  @returns {void} */
export function learn(tables) {
  for (const [name, more] of Object.entries(tables)) Object.assign(TABLES[name] ?? {}, more);
}

/** Puts the words of markup into the reader's language.
 *  @param {Document | Element} root
 *  @returns {void} */
export function translate(root) {
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
        if (text) node.setAttribute(name, words(text));
      }
    } else {
      const text = node.nodeValue?.trim().replace(/\s+/g, " ");
      if (text && table[text]) node.nodeValue = node.nodeValue?.replace(/\S[^]*\S|\S/, table[text]) ?? "";
    }
  }
}

const SPANS = /** @type {const} */ ([["second", 60], ["minute", 60], ["hour", 24], ["day", Infinity]]);
const relative = new Intl.RelativeTimeFormat(language, { style: "short", numeric: "auto" });

/** How long ago something was, such as `2 min. ago`.
 *  @param {number} milliseconds
 *  @returns {string} */
export function age(milliseconds) {
  let amount = milliseconds / 1000;
  for (const [unit, most] of SPANS) {
    // Within a few seconds a number that changes each second would be noise.
    if (unit === "second" && amount < 10) return relative.format(0, "second");
    if (amount < most) return relative.format(-(unit === "second" ? Math.floor(amount / 10) * 10 : Math.floor(amount)), unit);
    amount /= most;
  }
  return "";
}

/** Where something goes, behind an arrow the way that the page is read; in a line from left to right.
 *  @param {string} goal
 *  @returns {string} */
export const towards = (goal) => document.dir === "rtl" ? `${goal} ←` : `→ ${goal}`;

/** A number as readers write it; what is no plain number stays as it is.
 *  @param {number | string} number
 *  @returns {string} */
export function local(number) {
  const [plain, decimals = ""] = /^-?\d+(?:\.(\d{1,20}))?$/.exec(`${number}`) ?? [];
  if (plain === undefined) return `${number}`;
  return new Intl.NumberFormat(language, { minimumFractionDigits: decimals.length })
    .format(Number(number));
}

/** How many decimals a number has as it is written, in whatever digits.
 *  @param {string} text
 *  @param {number} value the number itself: thousands may be set apart as decimals are
 *  @returns {number} */
export function decimalsOf(text, value) {
  const [, separator, decimals = ""] = /([.,٫])(\p{Nd}+)\P{Nd}*$/u.exec(text) ?? [];
  if (decimals.length !== 3 || separator === "٫") return decimals.length;
  const whole = Number(text.replace(/\D/g, ""));
  const isGrouped = text.split(separator).length > 2 || Math.abs(Math.abs(value) - whole) < 1;
  return isGrouped ? 0 : decimals.length;
}

const enumeration = new Intl.ListFormat(language);

/** Names, one after another.
 *  @param {readonly string[]} names
 *  @returns {string} */
export const list = (names) => enumeration.format(names);

/** A difference with its sign and an arrow.
 *  @param {number} difference
 *  @param {number} decimals as the number itself shows
 *  @returns {string} nothing where it is rounded away */
export function change(difference, decimals) {
  const isLong = Math.abs(difference) >= 1e6;
  const text = new Intl.NumberFormat(language, {
    signDisplay: "exceptZero", maximumFractionDigits: Math.min(isLong ? 1 : decimals, 20), notation: isLong ? "compact" : "standard",
  }).format(difference);
  if (!/[1-9]/.test(text)) return "";
  return `${difference > 0 ? "▲" : "▼"} ${text}`;
}
