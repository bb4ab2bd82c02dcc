// When a schedule comes due, in the reader's time: as the server tells it, before the schedule is made
// and afterwards.
import { make, write } from "./tween-element.js";
import { addressOf } from "./base-url.js";
import { problemOf } from "./session.js";
import { language, words } from "./i18n.js";

/** Answers that tell what is wrong with what was asked. */
const WRONG = [400, 422];
const UNITS = /** @type {const} */ ([["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]]);
const date = new Intl.DateTimeFormat(language, {
  weekday: "short", day: "numeric", month: "short", year: "numeric",
  hour: "numeric", minute: "2-digit", second: "2-digit",
});
const relative = new Intl.RelativeTimeFormat(language, { style: "short" });

/** @type {AbortController | undefined} */
let asking;

/** How far away something is, such as `in 4 hr.`
 *  @param {number} seconds */
function away(seconds) {
  // An hour of which a moment has passed is still one.
  const [unit, length] = UNITS.find(([, each]) => seconds > each * 0.98) ?? UNITS[3];
  return relative.format(Math.round(seconds / length), unit);
}

/** @param {string} instant */
function line(instant) {
  const time = new Date(instant);
  const left = Math.max(0, (time.getTime() - Date.now()) / 1000);
  return make("li", {}, make("time", { datetime: instant }, date.format(time)), ` · ${away(left)}`);
}

/** Shows instants, with the time zone that they are told in.
 *  @param {HTMLElement} place
 *  @param {readonly string[]} instants
 *  @returns {void} */
export function showInstants(place, instants) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const caption = instants.length ? words("Next, in the time of {zone}:", { zone })
    : words("Never again");
  place.replaceChildren(caption, make("ol", {}, ...instants.map(line)));
}

/** Shows when a schedule would come due, or why it can't be; one question counts, the last.
 *  @param {HTMLElement} place
 *  @param {object} definition
 *  @returns {Promise<void>} */
export async function preview(place, definition) {
  asking?.abort();
  const { signal } = (asking = new AbortController());
  const answer = await fetch(addressOf("/v1/schedules/preview"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(definition),
    signal,
  }).catch(() => null);
  if (answer?.ok) showInstants(place, (await answer.json()).next);
  else if (answer && WRONG.includes(answer.status)) write(place, await problemOf(answer));
}
