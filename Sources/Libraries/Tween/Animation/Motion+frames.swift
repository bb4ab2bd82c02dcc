// Frame times. They count from a motion's start, so delays never add up.

extension Motion {
    /// Returns the next multiple of the frame interval since the start, or the end if that comes first. Late frames are
    /// dropped.
    ///
    /// - Parameter framesPerSecond: over 0.
    public func nextFrame(after now: Instant, framesPerSecond: Double) -> Instant {
        playback.nextFrame(after: now, framesPerSecond: framesPerSecond, end: end)
    }
}

extension Playback {
    /// Returns the next multiple of the frame interval since the start, or `end` if that comes first.
    func nextFrame(after now: Instant, framesPerSecond: Double, end: Instant?) -> Instant {
        let passed = (now.seconds(since: start) * framesPerSecond + 1e-6).rounded(.down)
        let frame = start.advanced(bySeconds: (passed + 1) / framesPerSecond)
        guard let end, end < frame else { return frame }
        return end
    }
}
