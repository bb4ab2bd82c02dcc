// What readers want of topics, and the parts of the one stream that tells them all of it.

/**
 * What is wanted of a topic besides its events.
 * @typedef {object} Want
 * @property {boolean} [frames] its value and text, as they change
 * @property {string} [wheels] the wheels of its digits, in this style; where styles differ, the first counts
 * @property {boolean} [display] the texts of its descriptor
 * @property {boolean} [motion] its motions, in place of their frames
 * @property {boolean} [stamp] frames with the instant and number of their tick, as they come
 */

/**
 * Wants by topic: `ticker:revenue`, or `ticker:*` for all of a kind.
 * @typedef {Map<string, Want>} Wish
 */

/**
 * Somebody who shows a topic. Frames come once for each screen frame, the newest alone; `each` is
 * given everything at once, frames with their tick as `stamped`. Frames that nobody would see, as
 * `isAsleep` tells, come now and then.
 * @typedef {object} Listener
 * @property {Want} [wants] besides events; frames where it is left out
 * @property {(data: any, key: string) => void} [frame]
 * @property {(key: string) => boolean} [isAsleep]
 * @property {(data: any, key: string) => void} [motion]
 * @property {(data: any, key: string, name: string) => void} [event]
 * @property {(reason: import("./feed.js").Staleness | null, key: string) => void} [stale]
 * @property {(name: string, json: string, key: string) => void} [each]
 */

/** @typedef {Record<string, string | boolean | string[]>} Part */

// What one stream may have.
const MOST_PARTS = 8;

/**
 * Adds what somebody wants of a topic to what others do.
 * @param {Wish} wish
 * @param {string} key
 * @param {Want} want
 */
export function addTo(wish, key, want) {
  const known = wish.get(key) ?? {};
  wish.set(key, {
    frames: known.frames || want.frames,
    wheels: known.wheels || want.wheels,
    display: known.display || want.display,
    motion: known.motion || want.motion,
    stamp: known.stamp || want.stamp,
  });
}

/**
 * The topic that stands for all of a kind.
 * @param {string} key
 */
export const everyOf = (key) => key.replace(/:.*/s, ":*");

/**
 * The parts of a stream that tells all of a wish: as few as there are forms.
 * @param {Wish} wish
 * @returns {Part[]}
 */
export function partsOf(wish) {
  const forms = formsOf(wish, ({ wheels, display }) => ({
    ...(wheels && { wheels }),
    ...(display && { display }),
  }));
  if (forms.size <= MOST_PARTS) return listed(forms);
  return listed(formsOf(wish, () => ({ wheels: "odometer", display: true })));
}

/**
 * Topics by the form in which they are told.
 * @param {Wish} wish
 * @param {(want: Want) => Part} frameForm
 * @returns {Map<string, string[]>}
 */
function formsOf(wish, frameForm) {
  const forms = new Map();
  const add = (/** @type {Part} */ form, /** @type {string} */ key) => {
    const name = JSON.stringify(form);
    forms.set(name, [...(forms.get(name) ?? []), key]);
  };
  /** @type {Wish} */
  const framed = new Map();
  for (const [key, want] of wish) {
    const { frames, wheels, display, motion, stamp } = want;
    if (stamp) add({ stamp: true }, key);
    if (motion) add({ mode: "motion" }, key);
    // Whoever hears all of a kind hears each once, with all that is wanted of any.
    const every = everyOf(key);
    if (frames) addTo(framed, wish.has(every) ? every : key, { wheels, display });
  }
  for (const [key, want] of framed) add(frameForm(want), key);
  return forms;
}

/** @param {Map<string, string[]>} forms */
function listed(forms) {
  return [...forms].sort().map(([form, keys]) => ({ ...JSON.parse(form), ...topicsOf(keys) }));
}

/**
 * Topics as a body names them: ids by kind.
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
