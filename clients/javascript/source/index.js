// What the package offers.
export { Client } from "./client.js";
export { TweencastError } from "./error.js";
export { Motion } from "./motion.js";

/**
 * @typedef {import("./address.js").Amount} Amount
 * @typedef {import("./client.js").ClientOptions} ClientOptions
 * @typedef {import("./items.js").Frame} Frame
 * @typedef {import("./items.js").StreamEvent} StreamEvent
 * @typedef {import("./items.js").StreamItem} StreamItem
 * @typedef {import("./items.js").StreamItems} StreamItems
 * @typedef {import("./items.js").StreamOptions} StreamOptions
 * @typedef {import("./motion.js").MotionEvent} MotionEvent
 * @typedef {import("./resources.js").Progress} Progress
 * @typedef {import("./resources.js").ResourceState} ResourceState
 * @typedef {import("./resources.js").Schedule} Schedule
 * @typedef {import("./resources.js").Ticker} Ticker
 * @typedef {import("./resources.js").UpdateOptions} UpdateOptions
 */
