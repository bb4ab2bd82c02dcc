// Where a motion turns or jumps. Whoever looks at it now and then would miss these values.

extension Motion {
    /// Returns the range of the values at which cycles have ended and begun, and of the keyframes, that it has passed since
    /// `playback.start` (the last start, resumption, seek or change of rate); nil if there are none. How far a spring or an
    /// easing overshoots is not included.
    package func turns(until instant: Instant) -> ClosedRange<Double>? {
        guard !isPlain, cycleDuration > 0, cycleDuration.isFinite else { return nil }
        let timing = timing
        let (start, now) = (playback.offset, elapsed(at: instant))
        let (first, last) = (position(at: min(start, now), in: timing), position(at: max(start, now), in: timing))
        var values: [Double] = []
        if first.iteration == last.iteration {
            values += keyframeValues(from: first.directed, to: last.directed)
        } else {
            values = [first.isForwards ? to : from, last.isForwards ? from : to]
            values += keyframeValues(from: first.directed, to: first.isForwards ? 1 : 0)
            values += keyframeValues(from: last.isForwards ? 0 : 1, to: last.directed)
        }
        if last.iteration - first.iteration > 1 { values += [from, to] + keyframeValues(from: 0, to: 1) }
        guard let low = values.min(), let high = values.max() else { return nil }
        return low...high
    }

    private func position(at time: Double, in timing: Timing) -> Timing.Position {
        timing.position(at: time, in: timing.phase(at: time, isReversed: playback.rate < 0))
    }

    /// Returns the keyframes' values between two shares of a cycle's time; none between equal ones, as
    /// while it rests.
    private func keyframeValues(from start: Double, to end: Double) -> [Double] {
        guard start != end else { return [] }
        let way = min(start, end)...max(start, end)
        return keyframes?.frames.filter { way.contains($0.offset) }.map { $0.value } ?? []
    }
}
