// Navigation between rows of elements.

/**
 * The nearest element in the next row, below or above.
 * @param {HTMLElement} from
 * @param {HTMLElement[]} others
 * @param {boolean} isBelow
 */
export function nearestInNextRow(from, others, isBelow) {
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
