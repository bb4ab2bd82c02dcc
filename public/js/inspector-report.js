// The inspector's report of a card, as JSON, HTML or Markdown: the ticked attributes with their notes, general notes
// and metadata.
import { feedFrom } from "./feed.js";

/**
 * @typedef {object} Findings
 * @property {string | undefined} title
 * @property {string} notes
 * @property {Record<string, string>} metadata entered by the user
 * @property {Record<string, string>} items attributes by group and name
 * @property {Record<string, string>} itemNotes by group and name
 */

/** @param {Findings} findings */
const origin = ({ title, notes, metadata }) => ({
  title, notes, metadata, server: feedFrom().status.greeting, agent: navigator.userAgent,
  time: new Date(),
});

/** The rows of a table: attribute, value, note.
 *  @param {Findings} findings
 *  @returns {string[][]} */
function rowsOf({ items, itemNotes, ...findings }) {
  const { metadata, ...about } = origin({ items, itemNotes, ...findings });
  const plain = (/** @type {unknown} */ value) =>
    value !== null && typeof value === "object" && !(value instanceof Date)
      ? JSON.stringify(value)
      : `${value ?? ""}`;
  return [
    ...Object.entries({ ...about, ...metadata }).map(([name, value]) => [name, plain(value), ""]),
    ...Object.entries(items).map(([name, value]) => [name, value, itemNotes[name] ?? ""]),
  ];
}

/** @param {Findings} findings */
function asJSON(findings) {
  const { items, itemNotes } = findings;
  return JSON.stringify({ ...origin(findings), items, itemNotes }, null, 2);
}

/** @param {Findings} findings */
function asMarkdown(findings) {
  const cell = (/** @type {string} */ text) => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");
  const lines = rowsOf(findings).map((row) => `| ${row.map(cell).join(" | ")} |`);
  return ["| attribute | value | note |", "|---|---|---|", ...lines].join("\n");
}

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @param {Findings} findings */
function asHTML(findings) {
  const safe = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]);
  const row = (/** @type {string[]} */ cells, tag = "td") =>
    `<tr>${cells.map((text) => `<${tag}>${safe(text)}</${tag}>`).join("")}</tr>`;
  const head = row(["attribute", "value", "note"], "th");
  const lines = rowsOf(findings).map((cells) => row(cells));
  const title = safe(findings.title ?? "");
  return [
    `<!doctype html>`, `<meta charset="utf-8">`, `<title>${title}</title>`,
    `<table>`, `<caption>${title}</caption>`, head, ...lines, `</table>`,
  ].join("\n");
}

/** By button name.
 *  @type {Record<string, (findings: Findings) => string>} */
export const REPORT_FORMATS = { html: asHTML, json: asJSON, markdown: asMarkdown };

/** Parses metadata, such as `build: 1842`, one entry a line.
 *  @param {string} text
 *  @returns {Record<string, string>} */
export function parseMetadata(text) {
  const lines = text.split("\n").map((line) => /^\s*([^:]+?)\s*:\s*(.*?)\s*$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
}
