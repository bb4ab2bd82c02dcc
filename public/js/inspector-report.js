// What the inspector's reader takes along of a card, as JSON, HTML or Markdown: chosen attributes,
// a note on each and on all, and what else its reader should know.
import { feedFrom } from "./feed.js";

/**
 * @typedef {object} Findings
 * @property {string | undefined} title
 * @property {string} notes
 * @property {Record<string, string>} metadata of the reader's own
 * @property {Record<string, string>} items attributes by their group and name
 * @property {Record<string, string>} itemNotes by the same
 */

/** @param {Findings} findings */
const origin = ({ title, notes, metadata }) => ({
  title, notes, metadata, server: feedFrom().status.greeting, agent: navigator.userAgent,
  time: new Date(),
});

/** A table's rows: what it is, its value, the note on it.
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

/** By the names of the buttons.
 *  @type {Record<string, (findings: Findings) => string>} */
export const REPORTS = { html: asHTML, json: asJSON, markdown: asMarkdown };

/** Metadata as people write it, `build: 1842` on a line.
 *  @param {string} text
 *  @returns {Record<string, string>} */
export function metadataOf(text) {
  const lines = text.split("\n").map((line) => /^\s*([^:]+?)\s*:\s*(.*?)\s*$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
}
