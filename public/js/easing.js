// Easings, by the strings that the server uses for them, and springs.

/** @typedef {(progress: number) => number} Curve */

/** CSS keywords, and names for powers. */
const KEYWORDS = {
  ease: "cubic-bezier(0.25, 0.1, 0.25, 1)",
  "ease-in": "cubic-bezier(0.42, 0, 1, 1)",
  "ease-out": "cubic-bezier(0, 0, 0.58, 1)",
  "ease-in-out": "cubic-bezier(0.42, 0, 0.58, 1)",
  "step-start": "steps(1, start)",
  "step-end": "steps(1)",
  easeIn: "power-in(2.8)",
  easeOut: "power-out(2.8)",
  easeInOut: "power-in-out(2.8)",
};

/**
 * Solved by Newton's method, or by bisection where that is slow.
 * @type {(points: number[]) => Curve}
 */
const cubicBezier = ([x1, y1, x2, y2]) => {
  /** @type {(a: number, b: number, s: number) => number} */
  const along = (a, b, s) => (((1 + 3 * (a - b)) * s + 3 * (b - 2 * a)) * s + 3 * a) * s;
  /** @type {Curve} */
  const slope = (s) => (3 * (1 + 3 * (x1 - x2)) * s + 6 * (x2 - 2 * x1)) * s + 3 * x1;

  return (progress) => {
    if (progress <= 0 || progress >= 1) return Math.min(Math.max(progress, 0), 1);
    let s = progress;
    for (let step = 0; step < 8; step++) {
      const error = along(x1, x2, s) - progress;
      if (Math.abs(error) < 1e-12) return along(y1, y2, s);
      if (slope(s) < 1e-6) break;
      s -= error / slope(s);
      if (s < 0 || s > 1) break;
    }
    let [low, high] = [0, 1];
    for (let step = 0; step < 60; step++) {
      s = (low + high) / 2;
      if (along(x1, x2, s) < progress) low = s;
      else high = s;
    }
    return along(y1, y2, s);
  };
};

/**
 * Without CSS's before flag: a motion shows its end values outside of its active time.
 * @type {(count: number, position?: string) => Curve}
 */
const steps = (count, position = "end") => {
  const startsWithJump = /start|both/.test(position);
  const jumps = count + (/both/.test(position) ? 1 : /none/.test(position) ? -1 : 0);
  return (progress) => {
    const scaled = count * progress;
    const nearest = Math.round(scaled);
    // Products such as 0.1 x 10 miss their edge by the last bit, which is where the sum is the next double.
    const lastBit = progress + progress * 1.25 * 2 ** -53 - progress;
    const isOnEdge = Math.abs(scaled - nearest) <= lastBit * count;
    const step = (isOnEdge ? nearest : Math.floor(scaled)) + (startsWithJump ? 1 : 0);
    return Math.min(Math.max(step, 0), jumps) / jumps;
  };
};

/**
 * A line through stops; the server gives each with its position.
 * @type {(stops: string) => Curve}
 */
const polyline = (stops) => {
  const points = stops.split(",").map((stop) => stop.trim().split(/\s+/).map(parseFloat));
  const last = points.length - 1;
  const places = points.map(([, place = NaN], index) =>
    Number.isNaN(place) ? index / last : place / 100,
  );
  return (progress) => {
    let index = last - 1;
    while (index > 0 && places[index] > progress) index--;
    const [from, to] = [places[index], places[index + 1]];
    const [start, end] = [points[index][0], points[index + 1][0]];
    return to > from ? start + (end - start) * ((progress - from) / (to - from)) : end;
  };
};

/** The falls of a bounce: the end of each, the time of its peak, and the progress at the peak. */
const BOUNCES = [
  [1, 0, 0],
  [2, 1.5, 0.75],
  [2.5, 2.25, 0.9375],
  [3, 2.625, 0.984375],
];

/**
 * Penner's curves with their overshoot at the start: 0 at 0, 1 at 1.
 * @type {Record<string, Curve>}
 */
const EASE_IN_CURVES = {
  back: (p) => p * p * (2.70158 * p - 1.70158),
  // Stretched to be exactly 0 at its start; Penner's is 2^-10.
  elastic: (p) => {
    const decay = (Math.exp(-10 * Math.LN2 * (1 - p)) - 2 ** -10) / (1 - 2 ** -10);
    return decay * Math.cos(((2 * Math.PI) / 0.3) * (1 - p));
  },
  bounce: (p) => {
    const rest = 1 - p;
    const [, middle, top] = BOUNCES.find(([end]) => rest < end / 2.75) ?? BOUNCES[3];
    const distance = rest - middle / 2.75;
    return 1 - (7.5625 * distance * distance + top);
  },
};

/**
 * Applies an ease-in curve at the start, at the end or at both.
 * @type {(lead: Curve, form: string) => Curve}
 */
const inForm = (lead, form) => (p) => {
  if (p <= 0 || p >= 1) return p <= 0 ? 0 : 1;
  if (form === "in") return lead(p);
  if (form === "out") return 1 - lead(1 - p);
  return p < 0.5 ? lead(2 * p) / 2 : 1 - lead(2 - 2 * p) / 2;
};

/**
 * The curve of an easing string from the server.
 * @param {string} easing
 * @returns {Curve}
 */
export function easingCurve(easing) {
  const text = KEYWORDS[/** @type {keyof KEYWORDS} */ (easing)] ?? easing;
  const [, name, inside = ""] = /^([\w-]+)(?:\((.*)\))?$/.exec(text) ?? ["", "linear"];
  const numbers = inside.split(",").map(parseFloat);
  if (name === "cubic-bezier") return cubicBezier(numbers);
  if (name === "steps") return steps(numbers[0], inside.split(",")[1]);
  if (name === "linear") return inside ? polyline(inside) : (progress) => progress;
  const [, kind, form = "out"] = /^(power|back|elastic|bounce)-?(.*)$/.exec(name) ?? [];
  if (!kind) return (progress) => progress;
  return inForm(EASE_IN_CURVES[kind] ?? ((p) => p ** numbers[0]), form || "out");
}

/**
 * The short name of an easing string from the server, if it has one.
 * @param {string} easing
 * @returns {string}
 */
export const easingName = (easing) =>
  Object.entries(KEYWORDS).findLast(([, text]) => text === easing)?.[0] ?? easing;

/** @typedef {{ dampingRatio: number, response: number }} SpringShape seconds of an undamped swing; 0 is there at once */

/**
 * A spring's displacement from its target over time in seconds, in one closed form for all damping ratios:
 * y(t) = y0 C(t) + (v0 + z w y0) S(t), where C is the damped cosine, and S the damped sine divided by its frequency.
 * @param {SpringShape} spring
 * @param {number} displacement at the start
 * @param {number} velocity at the start, in units per second
 * @returns {Curve}
 */
export function springDisplacement({ dampingRatio, response }, displacement, velocity) {
  if (response === 0) return () => 0;
  const undamped = (2 * Math.PI) / response;
  const decay = dampingRatio * undamped;
  const drive = velocity + decay * displacement;
  // (1 - z)(1 + z) keeps its digits near 1, where 1 - z² loses them.
  const discriminant = undamped * undamped * ((1 - dampingRatio) * (1 + dampingRatio));
  const frequency = Math.sqrt(Math.abs(discriminant));
  // The slower rate, in the form without cancellation.
  const slowRate = (-undamped * undamped) / (decay + frequency);

  return (seconds) => {
    const x = discriminant * seconds * seconds;
    let cosine, sine;
    if (Math.abs(x) < 1e-6) {
      const envelope = Math.exp(-decay * seconds);
      cosine = envelope * (1 - x / 2 + (x * x) / 24);
      sine = envelope * seconds * (1 - x / 6 + (x * x) / 120);
    } else if (x > 0) {
      const envelope = Math.exp(-decay * seconds);
      cosine = envelope * Math.cos(frequency * seconds);
      sine = (envelope * Math.sin(frequency * seconds)) / frequency;
    } else {
      // Not cosh and sinh: they overflow long before their product with the envelope does.
      const slow = Math.exp(slowRate * seconds);
      const fast = Math.exp(-(decay + frequency) * seconds);
      cosine = (slow + fast) / 2;
      sine = (slow - fast) / (2 * frequency);
    }
    return displacement * cosine + drive * sine;
  };
}

/** The easings that the form offers. */
export const EASINGS = [
  ..."linear ease ease-in ease-out ease-in-out easeIn easeOut power-in-out(2.8) back elastic bounce".split(" "),
  "cubic-bezier(.34, 1.56, .64, 1)",
  "steps(8, end)",
  "linear(0, .8 40%, 1)",
  "spring",
];

/**
 * A spring's curve over three times its response; an `initialVelocity` of 1 is the whole distance in a second.
 * @param {SpringShape & { initialVelocity?: number }} spring
 * @returns {Curve}
 */
export function springCurve({ initialVelocity = 0, ...spring }) {
  const displacement = springDisplacement(spring, -1, initialVelocity);
  return (progress) => 1 + displacement(progress * 3 * spring.response);
}

/** Space above and below a curve in its drawing. */
const MARGIN = 0.1;

/**
 * The lowest and highest value of a curve, 0 and 1 included, with a margin.
 * @param {Curve} curve
 * @returns {[low: number, high: number]}
 */
export function curveRange(curve) {
  const values = Array.from({ length: 81 }, (_, index) => curve(index / 80));
  return [Math.min(0, ...values) - MARGIN, Math.max(1, ...values) + MARGIN];
}

/**
 * The SVG path of a curve in a box whose y axis runs from `low` to `high`.
 * @param {Curve} curve
 * @param {number} width
 * @param {number} height
 * @param {number} low
 * @param {number} high
 */
export function curvePath(curve, width, height, low, high) {
  const points = Array.from({ length: 81 }, (_, index) => {
    const progress = index / 80;
    return `${progress * width} ${(1 - (curve(progress) - low) / (high - low)) * height}`;
  });
  return `M${points.join("L")}`;
}
