// Frame times. They count from the playback's start, so lateness never accumulates.

extension Motion {
    /// Returns the next multiple of the frame interval since `playback.start` (the last start, resumption, seek or change of
    /// rate), or the end if that comes first, which may lie before `now`. Missed frames are skipped. Any other frame is after
    /// `now`.
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
        var frame = start.advanced(bySeconds: (passed + 1) / framesPerSecond)
        // An instant is rounded to nanoseconds: after months, or at thousands of frames a second, that is more than the tolerance.
        if frame <= now {
            frame = max(start.advanced(bySeconds: (passed + 2) / framesPerSecond), now.advanced(bySeconds: 1e-9))
        }
        guard let end, end < frame else { return frame }
        return end
    }
}
