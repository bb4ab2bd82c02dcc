// Fills the form with a card's resource, to change it from there.
import { curlLine, pathOf, splitKey } from "./client.js";
import { feedFrom } from "./feed.js";
import { translate } from "./i18n.js";
import { openForm } from "./start-panel.js";

/** @typedef {Record<string, string | number | undefined>} Fields by the names of the form's */

/** The form's fields for a ticker.
 *  @param {any} resource
 *  @returns {Fields} */
function tickerFields({ text, target, value, decimals, format = {} }) {
  const { style, notation, currency, locale } = format;
  return {
    shape: "ticker",
    // The text unchanged: the next motion starts from the number in it.
    label: text,
    way: "to",
    to: target ?? value,
    decimals,
    notation: notation === "compact" ? notation : style === "decimal" ? "" : style,
    currency,
    locale,
  };
}

/** The form's fields for a progress.
 *  @param {any} resource
 *  @returns {Fields} */
const progressFields = ({ label, current, maximum, appearance }) => ({
  shape: appearance?.shape ?? "bar", label, way: "to", to: current, maximum,
});

/** The form's fields for a schedule; undefined if it does more than the form has fields for.
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

const FORM_FIELDS = { ticker: tickerFields, progress: progressFields, schedule: scheduleFields };

/** Fills the form with a resource; if the form lacks fields for it, shows its curl line instead.
 *  @param {string} key
 *  @param {any} resource as it was last fetched
 *  @returns {void} */
export function fillForm(key, resource) {
  const [kind, id] = splitKey(key);
  const fields = FORM_FIELDS[/** @type {keyof typeof FORM_FIELDS} */ (kind)](resource);
  if (!fields) {
    const line = curlLine("PUT", pathOf(key), JSON.stringify(resource.definition));
    const problem = translate("The form doesn't have fields for all of this. Change it with this command.");
    feedFrom().dispatchEvent(new CustomEvent("request", { detail: { line, problem } }));
    return;
  }
  openForm();
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
