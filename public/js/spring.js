// A damped spring in one closed form for all that swing, creep or are just between.

/**
 * @typedef {object} SpringShape
 * @property {number} dampingRatio under 1 swings, over 1 creeps
 * @property {number} response seconds of an undamped swing; 0 is there at once
 */

/**
 * The displacement from its target, in seconds since it was let go.
 *
 * y(t) = y0 C(t) + (v0 + z w y0) S(t), where C and S are the damped cosine and the damped sine over its frequency.
 * @param {SpringShape} spring
 * @param {number} displacement at the start
 * @param {number} velocity at the start, in units per second
 * @returns {(seconds: number) => number}
 */
export function oscillation({ dampingRatio, response }, displacement, velocity) {
  if (response === 0) return () => 0;
  const undamped = (2 * Math.PI) / response;
  const decay = dampingRatio * undamped;
  const drive = velocity + decay * displacement;
  // (1 - z)(1 + z) keeps its digits near 1, where 1 - z² loses them.
  const discriminant = undamped ** 2 * (1 - dampingRatio) * (1 + dampingRatio);
  const frequency = Math.sqrt(Math.abs(discriminant));
  // The slow of two rates in the form that does not cancel.
  const slowRate = -(undamped ** 2) / (decay + frequency);

  return (seconds) => {
    const x = discriminant * seconds ** 2;
    let cosine, sine;
    if (Math.abs(x) < 1e-6) {
      const envelope = Math.exp(-decay * seconds);
      cosine = envelope * (1 - x / 2 + x ** 2 / 24);
      sine = envelope * seconds * (1 - x / 6 + x ** 2 / 120);
    } else if (x > 0) {
      const envelope = Math.exp(-decay * seconds);
      cosine = envelope * Math.cos(frequency * seconds);
      sine = (envelope * Math.sin(frequency * seconds)) / frequency;
    } else {
      // Never cosh and sinh, which overflow long before their product with the envelope does.
      const slow = Math.exp(slowRate * seconds);
      const fast = Math.exp(-(decay + frequency) * seconds);
      cosine = (slow + fast) / 2;
      sine = (slow - fast) / (2 * frequency);
    }
    return displacement * cosine + drive * sine;
  };
}
