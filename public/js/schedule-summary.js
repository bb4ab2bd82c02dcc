// What a schedule is about to do, in a line.
import { language, list, local, towards, words } from "./i18n.js";

/** Names that are told; of those beyond it is told how many. */
const MOST = 2;

/** How often it comes due, when next, what it sets off.
 *  @param {any} data its newest frame
 *  @param {any} resource as it was last read
 *  @returns {string} */
export function planOf({ due }, resource) {
  const { every, count, do: actions } = resource?.definition ?? {};
  /** @param {any} action */
  const nameOf = ({ ticker, progress, schedule, notify = "webhook" }) =>
    ticker ?? progress ?? schedule?.id ?? schedule ?? notify;
  const names = (actions ?? []).map(nameOf);
  const beyond = names.length - MOST;
  if (beyond > 0) names.splice(MOST, beyond, words("{count} more", { count: local(beyond) }));
  return [
    every && words("every {every}", { every: every > 0 ? `${local(every)} s` : every }),
    count && words("{count} times", { count: local(count) }),
    due && new Date(due).toLocaleTimeString(language),
    names.length && towards(list(names)),
  ].filter(Boolean).join(" · ");
}
