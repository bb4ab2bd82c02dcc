// Which elements are in the window: what is out of sight need not be drawn.

/** @type {WeakMap<Element, Set<(isSeen: boolean) => void>>} */
const all = new WeakMap();

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    for (const look of all.get(target) ?? []) look(isIntersecting);
  }
});

/**
 * Tells whether an element is in the window, soon and whenever that changes, until the answer is
 * called.
 * @param {Element} element
 * @param {(isSeen: boolean) => void} look
 */
export function watch(element, look) {
  const looks = all.get(element) ?? new Set();
  all.set(element, looks.add(look));
  // An observer tells of where things stand to whom it is set on anew.
  observer.unobserve(element);
  observer.observe(element);
  return () => {
    looks.delete(look);
    if (!looks.size) observer.unobserve(element);
  };
}
