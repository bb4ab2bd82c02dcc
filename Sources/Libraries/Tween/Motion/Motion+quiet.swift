// Determines when a motion no longer visibly changes.

extension Motion {
    /// Returns the first instant from which the value stays within `tolerance` of the destination; nil if there is none.
    ///
    /// Exact for springs that run once and for easings that are monotone at their end. In others, oscillations shorter than
    /// a 512th of the last cycle may be missed.
    public func settled(within tolerance: Double) -> Instant? {
        guard let settled, tolerance > 0 else { return settled }
        guard playback.rate > 0, endTime.isFinite else { return settled }
        if isPlain, case .spring = course {
            let time = oscillation.settlingTime(tolerance: tolerance)
            return playback.instant(of: max(delay + min(time, activeDuration), playback.offset))
        }
        let time = lastTimeOutside(tolerance, over: min(cycleDuration, activeDuration))
        return playback.instant(of: max(time, playback.offset))
    }

    /// Returns the own time in the last cycle from which the value stays within the tolerance.
    private func lastTimeOutside(_ tolerance: Double, over span: Double) -> Double {
        let goal = destination
        let finish = min(movementEnd, endTime)
        var inside = finish
        for index in 1...512 {
            let time = finish - span * Double(index) / 512
            if abs(value(atTime: time) - goal) > tolerance {
                var outside = time
                for _ in 0..<60 {
                    let middle = outside + (inside - outside) / 2
                    if middle <= outside || middle >= inside { break }
                    if abs(value(atTime: middle) - goal) > tolerance { outside = middle } else { inside = middle }
                }
                return inside
            }
            inside = time
        }
        return inside
    }
}
