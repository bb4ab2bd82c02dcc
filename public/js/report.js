// What the inspector copies: chosen rows, notes, and where they are from.
import { feedFrom } from "./feed.js";

/** @param {unknown} value
 *  @returns {string} */
export const plain = (value) => (value !== null && typeof value === "object" ? JSON.stringify(value) : `${value}`);

/** @typedef {{title: string | undefined, notes: string, items: Record<string, string>}} Findings */

/** @param {Findings} findings */
const origin = ({ title, notes }) => ({
  title, notes, server: feedFrom().status.greeting, agent: navigator.userAgent, time: new Date(),
});

/** @param {Findings} findings
 *  @returns {string} */
export function asJSON(findings) {
  return JSON.stringify({ ...origin(findings), items: findings.items }, null, 2);
}

/** @param {Findings} findings
 *  @returns {string} a Markdown table */
export function asMarkdown(findings) {
  const lines = Object.entries({ ...origin(findings), ...findings.items })
    .map(([key, value]) => `| ${key} | ${plain(value).replaceAll("|", "\\|")} |`);
  return ["| attribute | value |", "|---|---|", ...lines].join("\n");
}
