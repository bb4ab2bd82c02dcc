// The server's address, names within addresses, and numbers as they are sent.

/** @typedef {"ticker" | "progress" | "schedule"} ResourceKind */

/** The lists of resources in addresses. */
const LISTS = { ticker: "tickers", progress: "progress", schedule: "schedules" };
export const RESOURCE_KINDS = Object.keys(LISTS);

// Names of resources and notifications, and what ids may begin with.
const NAME = /^[A-Za-z0-9._~:-]{1,128}$/;
const PATTERN = /^[A-Za-z0-9._~:-]{0,128}\*$/;

/**
 * A decimal number. A string is sent as it is written: up to 38 digits, exact, with all its decimals.
 * @typedef {number | bigint | string} Amount
 */

/**
 * An address with a scheme and without a slash at its end: `localhost:8080` is `http://localhost:8080`.
 * @param {string} text
 */
export function serverAddress(text) {
  const address = (text.includes("://") ? text : `http://${text}`).replace(/\/+$/, "");
  const { protocol, username, password, search, hash } = new URL(address);
  if (!/^https?:$/.test(protocol) || username || password || search || hash)
    throw new TypeError(`${text} is no address of a server, such as http://localhost:8080`);
  return address;
}

/** @param {ResourceKind} kind */
export const listPath = (kind) => `/v1/${LISTS[kind]}`;

/**
 * The id of a resource or the name of a notification, if any can have it. A stream of another one would wait for ever,
 * and `fetch` takes dots for folders.
 * @param {string} name
 */
export function checkedName(name) {
  if (typeof name === "string" && NAME.test(name) && name !== "." && name !== "..") return name;
  throw new TypeError(`${String(name)} is no name: 1 to 128 of A-Z a-z 0-9 . _ ~ : -, but not . or ..`);
}

/**
 * A name, or the beginning of names with `*` behind it.
 * @param {string} text
 */
export const checkedPattern = (text) => (PATTERN.test(text) ? text : checkedName(text));

/**
 * @param {ResourceKind} kind
 * @param {string} id
 */
export const resourcePath = (kind, id) => `${listPath(kind)}/${encodeURIComponent(checkedName(id))}`;

/**
 * A number as the server reads it. Digits of a string stay; `+5` and `.5` become `5` and `0.5`.
 * @param {Amount} amount
 * @returns {number | string}
 */
export function amountJSON(amount) {
  if (typeof amount === "number" && Number.isFinite(amount)) return amount;
  if (typeof amount === "bigint") return String(amount);
  const [, minus, whole, fraction] = /^(?:\+|(-))?(\d*)(\.\d+)?$/.exec(String(amount)) ?? [];
  if (!whole && !fraction) throw new TypeError(`${amount} is no decimal number`);
  return (minus ?? "") + (whole || "0") + (fraction ?? "");
}

/** @param {Amount | undefined} amount */
export const optionalAmountJSON = (amount) => (amount === undefined ? undefined : amountJSON(amount));
