// Elements that stand in rows.

/**
 * The element in the next row that stands most nearly below another, or above.
 * @param {HTMLElement} from
 * @param {HTMLElement[]} others
 * @param {boolean} isBelow
 */
export function beyond(from, others, isBelow) {
  const own = from.getBoundingClientRect();
  const sign = isBelow ? 1 : -1;
  /** @type {HTMLElement | undefined} */
  let best;
  let least = Infinity;
  for (const other of others) {
    const { left, top, height } = other.getBoundingClientRect();
    const away = sign * (top - own.top);
    if (!height || away < 4) continue;
    const distance = away * 4 + Math.abs(left - own.left);
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}
