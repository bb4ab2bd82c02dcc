// Puts what a card shows into the form that starts things: sent from there, it is changed.
import { curl, parts, pathOf } from "./client.js";
import { feedFrom } from "./feed.js";
import { words } from "./i18n.js";

/** @typedef {Record<string, string | number | undefined>} Fields by the names of the form's */

/** What the form has for a ticker.
 *  @param {any} resource
 *  @returns {Fields} */
function tickerFields({ text, target, value, decimals, format = {} }) {
  const { style, notation, currency, locale } = format;
  return {
    shape: "ticker",
    // The text as it is: a number within it is where the next motion begins.
    label: text,
    way: "to",
    to: target ?? value,
    decimals,
    notation: notation === "compact" ? notation : style === "decimal" ? "" : style,
    currency,
    locale,
  };
}

/** What the form has for a progress.
 *  @param {any} resource
 *  @returns {Fields} */
const progressFields = ({ label, current, maximum, appearance }) => ({
  shape: appearance?.shape ?? "bar", label, way: "to", to: current, maximum,
});

/** What the form has for a schedule; nothing where that does more than the form can say.
 *  @param {any} resource
 *  @returns {Fields | undefined} */
function scheduleFields({ definition }) {
  const { do: actions, label, ...plan } = definition;
  const [[name, time] = [], ...others] = Object.entries(plan);
  const [{ ticker, to, by, ...further }, ...more] = [...actions, {}];
  const isPlain = actions.length === 1 && !Object.keys(further).length && more.length === 1;
  const isOne = (to === undefined) !== (by === undefined);
  if (others.length || !["in", "at", "every"].includes(name ?? "") || !ticker || !isOne || !isPlain) {
    return undefined;
  }
  const isText = typeof time === "string";
  return {
    shape: "schedule",
    label,
    when: name === "every" && isText ? "cron" : name,
    time: /** @type {string | number} */ (time),
    target: ticker,
    way: to === undefined ? "by" : "to",
    to: to ?? by,
  };
}

const READERS = { ticker: tickerFields, progress: progressFields, schedule: scheduleFields };

/** Fills the form with a resource; of one that it has no room for, it shows the line that makes it.
 *  @param {string} key
 *  @param {any} resource as it was last read
 *  @returns {void} */
export function edit(key, resource) {
  const [kind, id] = parts(key);
  const fields = READERS[/** @type {keyof typeof READERS} */ (kind)](resource);
  if (!fields) {
    const line = curl("PUT", pathOf(key), JSON.stringify(resource.definition));
    const problem = words("The form has no room for all that this does: change it with this line");
    feedFrom().dispatchEvent(new CustomEvent("said", { detail: { line, problem } }));
    return;
  }
  const form = /** @type {HTMLFormElement} */ (document.querySelector("#start"));
  for (const [name, value] of Object.entries({ ...fields, id })) {
    const control = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    control.value = `${value ?? ""}`;
  }
  form.dataset.edits = key;
  form.dispatchEvent(new Event("input"));
  const first = /** @type {HTMLInputElement} */ (form.elements.namedItem("to"));
  first.scrollIntoView({ block: "nearest" });
  first.select();
}
