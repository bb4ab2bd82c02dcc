// What the form's fields come to: a request as the service takes it, without what is as usual.

/** A number as JSON has it; one that a double can't hold goes as the text it was typed as.
 *  @param {string} text
 *  @returns {number | string} */
export function numberOf(text) {
  const typed = text.trim();
  const value = Number(typed);
  const [digits] = /^-?\d+(\.\d+)?$/.exec(typed) ?? [];
  const isExact = digits === undefined || Number(digits).toPrecision(15).length >= digits.length || `${value}` === digits;
  return isExact ? value : typed;
}

/** Without members that have nothing.
 *  @template {object} T
 *  @param {T} value
 *  @returns {Partial<T>} */
function filled(value) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)));
}

/** @param {string | undefined} text
 *  @returns {number | string | undefined} nothing for an empty field */
const optional = (text) => (text ? numberOf(text) : undefined);

/** @typedef {{method: string, path: string, body: object}} Asked */

/** @param {Record<string, string>} fields by their names
 *  @returns {Asked} */
export function requestOf(fields) {
  const id = encodeURIComponent(fields.id ?? "");
  if (fields.shape === "schedule") return { method: "PUT", path: `/v1/schedules/${id}?preview=3`, body: scheduleOf(fields) };
  const isTicker = fields.shape === "ticker";
  const motion = motionOf(fields, isTicker ? "to" : "current");
  if (isTicker) return { method: "POST", path: `/v1/tickers/${id}`, body: { ...motion, ...faceOf(fields) } };
  return { method: "POST", path: `/v1/progress/${id}`, body: { ...motion, appearance: { shape: fields.shape } } };
}

/** @param {Record<string, string>} fields
 *  @param {string} target what the service calls the number that it goes to */
function motionOf({ way, to, from, duration, easing, damping, velocity, label, delay, repeat, autoreverse, next, nextTo }, target) {
  const timing = easing === "spring"
    ? { spring: { dampingRatio: +damping, response: +duration || 0.01, initialVelocity: +velocity } }
    : { duration: +duration, easing };
  return filled({
    [way === "by" ? "by" : target]: numberOf(to ?? ""),
    from: optional(from),
    ...timing,
    label: label || undefined,
    delay: optional(delay),
    repeat: repeat === "forever" ? repeat : optional(repeat),
    autoreverse: autoreverse ? true : undefined,
    then: next && nextTo ? [{ ticker: next, to: numberOf(nextTo) }] : undefined,
  });
}

/** @param {Record<string, string>} fields */
function faceOf({ decimals, notation, currency, locale }) {
  const format = filled({
    style: notation || undefined,
    currency: currency ? currency.toUpperCase() : undefined,
    locale: locale || undefined,
  });
  return filled({ decimals: optional(decimals), format: Object.keys(format).length ? format : undefined });
}

/** @param {Record<string, string>} fields */
function scheduleOf({ when, time, label, target, way, to }) {
  const due = when === "at" ? { at: time } : when === "cron" ? { every: time } : { [when ?? "in"]: numberOf(time ?? "") };
  return filled({ ...due, label: label || undefined, do: [{ ticker: target, [way ?? "to"]: numberOf(to ?? "") }] });
}
