// What pages subscribe to, and the parts of the one stream that sends it.

/**
 * What to send of a topic besides its events.
 * @typedef {object} Subscription
 * @property {boolean} [frames] its value and text, as they change
 * @property {string} [wheels] the wheels of its digits, in this style; where styles differ, the first one wins
 * @property {boolean} [display] the texts of its descriptor
 * @property {boolean} [motion] its motions, instead of their frames
 * @property {boolean} [stamp] frames with the instant and number of their tick, as they come
 */

/**
 * Subscriptions by topic: `ticker:revenue`, or `ticker:*` for all of a kind.
 * @typedef {Map<string, Subscription>} Subscriptions
 */

/**
 * Shows a topic. `frame` receives at most one frame for each screen frame, the newest; `raw` receives everything
 * at once, frames with their tick as `stamped`. A topic whose listeners are all off-screen gets frames only now
 * and then.
 * @typedef {object} Listener
 * @property {Subscription} [wants] besides events; frames where it is left out
 * @property {(data: any, key: string) => void} [frame]
 * @property {(key: string) => boolean} [isOffscreen]
 * @property {(data: any, key: string) => void} [motion]
 * @property {(data: any, key: string, name: string) => void} [event]
 * @property {(reason: import("./feed.js").Staleness | null, key: string) => void} [stale]
 * @property {(name: string, json: string, key: string) => void} [raw]
 */

/** @typedef {Record<string, string | boolean | string[]>} Part */

// The server's limit for one stream.
const MAX_PARTS = 8;

/**
 * Adds a subscription to a topic, beside those that it has.
 * @param {Subscriptions} subscriptions
 * @param {string} key
 * @param {Subscription} added
 */
export function mergeSubscription(subscriptions, key, added) {
  const known = subscriptions.get(key) ?? {};
  subscriptions.set(key, {
    frames: known.frames || added.frames,
    wheels: known.wheels || added.wheels,
    display: known.display || added.display,
    motion: known.motion || added.motion,
    stamp: known.stamp || added.stamp,
  });
}

/**
 * The topic that stands for all of a kind.
 * @param {string} key
 */
export const wildcardOf = (key) => key.replace(/:.*/s, ":*");

/**
 * The fewest parts of a stream that cover all subscriptions: one for each form.
 * @param {Subscriptions} subscriptions
 * @returns {Part[]}
 */
export function streamParts(subscriptions) {
  const forms = groupByForm(subscriptions, ({ wheels, display }) => ({
    ...(wheels && { wheels }),
    ...(display && { display }),
  }));
  if (forms.size <= MAX_PARTS) return partsFrom(forms);
  return partsFrom(groupByForm(subscriptions, () => ({ wheels: "odometer", display: true })));
}

/**
 * Topics by the form in which they are sent.
 * @param {Subscriptions} subscriptions
 * @param {(one: Subscription) => Part} frameForm
 * @returns {Map<string, string[]>}
 */
function groupByForm(subscriptions, frameForm) {
  const forms = new Map();
  const add = (/** @type {Part} */ form, /** @type {string} */ key) => {
    const name = JSON.stringify(form);
    forms.set(name, [...(forms.get(name) ?? []), key]);
  };
  /** @type {Subscriptions} */
  const framed = new Map();
  for (const [key, one] of subscriptions) {
    const { frames, wheels, display, motion, stamp } = one;
    if (stamp) add({ stamp: true }, key);
    if (motion) add({ mode: "motion" }, key);
    // With a wildcard each topic is sent once, in the form that covers all subscriptions of its kind.
    const wildcard = wildcardOf(key);
    if (frames) mergeSubscription(framed, subscriptions.has(wildcard) ? wildcard : key, { wheels, display });
  }
  for (const [key, one] of framed) add(frameForm(one), key);
  return forms;
}

/** @param {Map<string, string[]>} forms */
function partsFrom(forms) {
  return [...forms].sort().map(([form, keys]) => ({ ...JSON.parse(form), ...topicsOf(keys) }));
}

/**
 * Topics as a request body lists them: ids by kind.
 * @param {Iterable<string>} keys
 * @returns {Record<string, string[]>}
 */
export function topicsOf(keys) {
  /** @type {Record<string, string[]>} */
  const topics = {};
  for (const key of [...new Set(keys)].sort()) {
    const [, kind, id] = /^(\w+):(.*)$/s.exec(key) ?? [];
    (topics[kind] ??= []).push(id);
  }
  return topics;
}
