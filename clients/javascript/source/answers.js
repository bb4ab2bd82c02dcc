// What a Tweencast server's answers have: anything else was answered by another one.
import { RESOURCE_KINDS } from "./address.js";

/**
 * Whether an answer's JSON is the state of a resource.
 * @param {any} json
 */
export const isState = (json) => RESOURCE_KINDS.some((kind) => typeof json?.[kind] === "string");

/**
 * Whether it is a page of a list.
 * @param {any} json
 */
export const isPage = (json) =>
  Array.isArray(json?.items) && json.items.every(isState) && (json.next === undefined || typeof json.next === "string");
