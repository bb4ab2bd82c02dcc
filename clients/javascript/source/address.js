// The server's address, names within addresses, and numbers as they are sent.

/** @typedef {"ticker" | "progress" | "schedule"} ResourceKind */

/** The lists of resources in addresses. */
const LISTS = { ticker: "tickers", progress: "progress", schedule: "schedules" };

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
 * @param {ResourceKind} kind
 * @param {string} id
 */
export function resourcePath(kind, id) {
  // `fetch` takes such a name for a folder.
  if (id === "." || id === "..") throw new TypeError(`no ${kind} can have the id ${id}`);
  return `${listPath(kind)}/${encodeURIComponent(id)}`;
}

/**
 * A number as the server reads it. Digits of a string stay; `+5` and `.5` become `5` and `0.5`.
 * @param {Amount | undefined} amount
 * @returns {number | string | undefined}
 */
export function amountJSON(amount) {
  if (amount === undefined || (typeof amount === "number" && Number.isFinite(amount))) return amount;
  if (typeof amount === "bigint") return String(amount);
  const [, minus, whole, fraction] = /^(?:\+|(-))?(\d*)(\.\d+)?$/.exec(String(amount)) ?? [];
  if (!whole && !fraction) throw new TypeError(`${amount} is no decimal number`);
  return (minus ?? "") + (whole || "0") + (fraction ?? "");
}
