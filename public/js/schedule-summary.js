// A schedule in one line.
import { arrowTo, formatList, formatNumber, language, translate } from "./i18n.js";

/** The most names listed; the others are counted. */
const MAX_NAMES = 2;

/** How often a schedule comes due, when next, and what it does.
 *  @param {any} data its newest frame
 *  @param {any} resource as it was last fetched
 *  @returns {string} */
export function scheduleSummary({ due }, resource) {
  const { every, count, do: actions } = resource?.definition ?? {};
  /** @param {any} action */
  const nameOf = ({ ticker, progress, schedule, notify = "webhook" }) =>
    ticker ?? progress ?? schedule?.id ?? schedule ?? notify;
  const names = (actions ?? []).map(nameOf);
  const beyond = names.length - MAX_NAMES;
  if (beyond > 0) names.splice(MAX_NAMES, beyond, translate("{count} more", { count: formatNumber(beyond) }));
  return [
    every && translate("every {every}", { every: every > 0 ? `${formatNumber(every)} s` : every }),
    count && translate("{count} times", { count: formatNumber(count) }),
    due && new Date(due).toLocaleTimeString(language),
    names.length && arrowTo(formatList(names)),
  ].filter(Boolean).join(" · ");
}
