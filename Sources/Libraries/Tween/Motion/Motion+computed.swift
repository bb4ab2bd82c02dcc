// Motions that a server has computed, and a client takes over. Times are own seconds: a double holds them more precisely
// than instants.

extension Motion {
    /// Creates a motion from computed parts.
    /// - Parameters:
    ///   - handover: The initial velocity of a spring's first cycle, in units per second of own time.
    ///   - velocityMatch: How the first cycle takes over a velocity.
    ///   - cycleDuration: Seconds of a cycle; for a spring, until it has settled.
    package init(
        from: Double, to: Double, course: Course, along keyframes: Keyframes?, handover: Double,
        velocityMatch: VelocityMatch, cycleDuration: Double, playback: Playback
    ) {
        (self.from, self.to, self.course, self.keyframes) = (from, to, course, keyframes)
        (self.handover, self.velocityMatch, self.cycleDuration) = (handover, velocityMatch, cycleDuration)
        (self.playback, overshoot) = (playback, .allow)
        switch course {
        case .timed(let timing):
            oscillation = Oscillation(.immediate, displacement: 0, velocity: 0)
            activeDuration = timing.activeDuration
            isPlain = timing.isPlain && keyframes == nil
        case .spring(let spring, _, _, let cycles, _):
            let isOnce = cycles == .once
            let velocity = isOnce || cycles.beginsWhole ? handover : 0
            oscillation = Oscillation(spring, displacement: from - to, velocity: velocity)
            activeDuration = isOnce ? cycleDuration : cycles.duration(of: cycleDuration)
            isPlain = isOnce || cycleDuration.isInfinite && cycles.beginsWhole
        }
        range = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        arrival = .infinity
    }

    /// Returns the value at own seconds. They stop at the end that the motion runs towards.
    package func value(atOwnTime time: Double) -> Double { value(atTime: shownTime(time)) }

    /// Returns whether the value stays the destination from these own seconds on.
    package func isSettled(atOwnTime time: Double) -> Bool {
        guard playback.hold == nil, playback.rate != 0 else { return false }
        if from == to, keyframes == nil, handover == 0 { return true }
        let movement = playback.rate < 0 ? min(delay, endTime) : min(movementEnd, endTime)
        return playback.rate < 0
            ? time <= max(min(movement, playback.offset), 0) : time >= max(movement, playback.offset, 0)
    }

    private func shownTime(_ time: Double) -> Double {
        if let hold = playback.hold { return hold }
        if playback.rate > 0 { return min(time, max(endTime, playback.offset)) }
        return playback.rate < 0 ? max(time, min(0, playback.offset)) : playback.offset
    }
}
