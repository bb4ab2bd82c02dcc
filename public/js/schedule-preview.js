// When a schedule comes due, in the reader's time zone: before it is created, and afterwards.
import { urlFor } from "./base-url.js";
import { make, setText } from "./dom.js";
import { language, translate } from "./i18n.js";
import { problemText } from "./session.js";

/** Statuses of a response that says what is wrong with the schedule. */
const INVALID = [400, 422];
const UNITS = /** @type {const} */ ([["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]]);
const date = new Intl.DateTimeFormat(language, {
  weekday: "short", day: "numeric", month: "short", year: "numeric",
  hour: "numeric", minute: "2-digit", second: "2-digit",
});
const relative = new Intl.RelativeTimeFormat(language, { style: "short" });

/** @type {AbortController | undefined} */
let asking;

/** A time from now, such as `in 4 hr.`
 *  @param {number} seconds */
function relativeTime(seconds) {
  // 59 minutes and 50 seconds are still shown as an hour.
  const [unit, length] = UNITS.find(([, each]) => seconds > each * 0.98) ?? UNITS[3];
  return relative.format(Math.round(seconds / length), unit);
}

/** @param {string} instant */
function listItem(instant) {
  const time = new Date(instant);
  const left = Math.max(0, (time.getTime() - Date.now()) / 1000);
  return make("li", {}, make("time", { datetime: instant }, date.format(time)), ` · ${relativeTime(left)}`);
}

/** Shows instants with their time zone.
 *  @param {HTMLElement} place
 *  @param {readonly string[]} instants
 *  @returns {void} */
export function showInstants(place, instants) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const caption = instants.length ? translate("Next, in time zone {zone}:", { zone })
    : translate("Never again");
  place.replaceChildren(caption, make("ol", {}, ...instants.map(listItem)));
}

/** Shows when a schedule would come due, or why it is invalid; a newer request cancels an earlier one.
 *  @param {HTMLElement} place
 *  @param {object} definition
 *  @returns {Promise<void>} */
export async function previewSchedule(place, definition) {
  asking?.abort();
  const { signal } = (asking = new AbortController());
  const answer = await fetch(urlFor("/v1/schedules/preview"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(definition),
    signal,
  }).catch(() => null);
  if (answer?.ok) showInstants(place, (await answer.json()).next);
  else if (answer && INVALID.includes(answer.status)) setText(place, await problemText(answer));
}
