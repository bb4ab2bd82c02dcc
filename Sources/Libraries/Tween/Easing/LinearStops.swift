// linear() of CSS Easing Level 2: straight lines between control points.

/// The polyline of `linear(stops)`.
public struct LinearStops: Hashable, Sendable {
    /// A control point: the output for an input.
    public struct Point: Hashable, Sendable {
        /// Its position: 0 is the start of the motion, 1 its end.
        public let input: Double
        /// The eased progress there.
        public let output: Double

        /// Creates a control point.
        public init(input: Double, output: Double) {
            self.input = input
            self.output = output
        }
    }

    /// A stop as written: an output, and its position if given.
    public struct Stop: Hashable, Sendable {
        /// The eased progress at the stop.
        public let output: Double
        /// The position, 1 for 100 %; nil is spaced evenly between its neighbours.
        public let input: Double?

        /// Creates a stop.
        public init(_ output: Double, at input: Double? = nil) {
            self.output = output
            self.input = input
        }
    }

    /// The control points in order; inputs never decrease.
    public let points: [Point]

    /// Creates the polyline through stops, filling in missing inputs as CSS does.
    ///
    /// - Parameter stops: A single stop applies to all inputs.
    /// - Throws: `EasingError` for no stops, or a number beyond a million.
    public init(_ stops: [Stop]) throws(EasingError) {
        guard let only = stops.first else { throw .malformed("linear() takes a stop at least") }
        let stops = stops.count > 1 ? stops : [Stop(only.output, at: 0), Stop(only.output, at: 1)]
        let isSane = stops.allSatisfy { $0.output.magnitude <= 1e6 && ($0.input ?? 0).magnitude <= 1e6 }
        guard isSane else { throw .outOfRange("the numbers of linear() must be from -1000000 to 1000000") }
        points = zip(stops, Self.inputs(of: stops)).map { Point(input: $1, output: $0.output) }
    }

    /// Returns the output for an input; beyond the ends, the outermost lines continue.
    func value(at input: Double) -> Double {
        let (a, b) = segment(at: input)
        let run = b.input - a.input
        guard run > 0 else { return b.output }
        return a.output + (b.output - a.output) * ((input - a.input) / run)
    }

    /// Returns the derivative to the right of an input; 0 on a vertical piece.
    func slope(at input: Double) -> Double {
        let (a, b) = segment(at: input)
        let run = b.input - a.input
        return run > 0 ? (b.output - a.output) / run : 0
    }

    /// Returns the line for an input: from the last point not after it, or the outermost line.
    private func segment(at input: Double) -> (Point, Point) {
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].input <= input { low = middle } else { high = middle }
        }
        return (points[low], points[low + 1])
    }

    private static func inputs(of stops: [Stop]) -> [Double] {
        var known = stops.map { $0.input }
        known[0] = known[0] ?? 0
        let last = known.count - 1
        known[last] = known[last] ?? max(1, known.compactMap { $0 }.max() ?? 1)
        return known.spacedEvenly()
    }
}

extension [Double?] {
    /// Returns positions that never decrease: a smaller one becomes the largest before it, and missing ones are spaced
    /// evenly between their neighbours, as CSS does for stops of `linear()`. The first and the last must be given.
    func spacedEvenly() -> [Double] {
        var result: [Double] = []
        result.reserveCapacity(count)
        var pending = 0
        for place in self {
            guard let place else {
                pending += 1
                continue
            }
            let end = Swift.max(place, result.last ?? place)
            if let start = result.last, pending > 0 {
                for step in 1...pending {
                    result.append(start + (end - start) * (Double(step) / Double(pending + 1)))
                }
                pending = 0
            }
            result.append(end)
        }
        return result
    }
}
