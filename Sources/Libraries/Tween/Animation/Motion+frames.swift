// When frames are due: a timetable from a motion's start, so that lateness never adds up.

extension Motion {
    /// The next multiple of a frame's length since the start, or the end if that comes first. Late frames are left out.
    ///
    /// - Parameter framesPerSecond: over 0.
    public func nextFrame(after now: Instant, framesPerSecond: Double) -> Instant {
        playback.nextFrame(after: now, framesPerSecond: framesPerSecond, end: end)
    }
}

extension Playback {
    /// The next multiple of a frame's length since the start, or `end` if that comes first.
    func nextFrame(after now: Instant, framesPerSecond: Double, end: Instant?) -> Instant {
        let passed = (now.seconds(since: start) * framesPerSecond + 1e-6).rounded(.down)
        let frame = start.advanced(bySeconds: (passed + 1) / framesPerSecond)
        guard let end, end < frame else { return frame }
        return end
    }
}
