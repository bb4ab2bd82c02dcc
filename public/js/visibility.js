// Which elements are in the window; others need not be drawn.

/** @type {WeakMap<Element, Set<(isVisible: boolean) => void>>} */
const callbacksOf = new WeakMap();

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    for (const look of callbacksOf.get(target) ?? []) look(isIntersecting);
  }
});

/**
 * Calls a function with whether an element is in the window, soon and whenever that changes; the function returned
 * stops that.
 * @param {Element} element
 * @param {(isVisible: boolean) => void} callback
 */
export function observeVisibility(element, callback) {
  const callbacks = callbacksOf.get(element) ?? new Set();
  callbacksOf.set(element, callbacks.add(callback));
  // Observing an element again reports its present state.
  observer.unobserve(element);
  observer.observe(element);
  return () => {
    callbacks.delete(callback);
    if (!callbacks.size) observer.unobserve(element);
  };
}
