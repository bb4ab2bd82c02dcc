// Formats durations: 1:05:09, 2 h 5 min. Takes seconds; no clock and no time zone.

import Base

/// A duration in whole seconds, split into units. Negative ones count as zero.
public struct TimeSpan: Hashable, Sendable {
    /// How a duration is written.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// `1:05:09`, `5:09`, `0:08`; hours continue beyond a day.
        case clock
        /// `2 h 5 min`, `8 s`, `3 d 2 h`: the two largest units.
        case units
        /// `2 hours, 5 minutes`, `8 seconds`: the two largest units in words.
        case words
    }

    /// The total seconds, 0 to ``maximumSeconds``.
    public let totalSeconds: Int

    /// The longest duration, about 31,000 years, or 68 where `Int` has 32 bits; longer ones count as this.
    public static let maximumSeconds = Int(clamping: 1_000_000_000_000 as Int64)

    /// Creates an elapsed time: rounded down.
    public init(elapsed seconds: Double) {
        self.init(truncating: seconds)
    }

    /// Creates a remaining time: rounded up, so that zero is only shown at the end.
    public init(remaining seconds: Double) {
        // A duration computed from nanoseconds may miss a whole second by its last bit.
        let seconds = seconds - 1e-6
        self.init(truncating: seconds > 0 ? seconds + 1 : 0)
    }

    /// Creates a duration, clamped to 0 to ``maximumSeconds``.
    public init(seconds: Int) {
        totalSeconds = min(max(0, seconds), Self.maximumSeconds)
    }

    private init(truncating seconds: Double) {
        self.init(seconds: Int(saturating: seconds))
    }

    /// Whole days.
    public var days: Int { totalSeconds / 86_400 }
    /// Hours of the day, 0...23.
    public var hours: Int { totalSeconds / 3_600 % 24 }
    /// Minutes of the hour, 0...59.
    public var minutes: Int { totalSeconds / 60 % 60 }
    /// Seconds of the minute, 0...59.
    public var seconds: Int { totalSeconds % 60 }

    /// Appends the duration.
    public func append(_ style: Style, in words: TimeWords = .english, to bytes: inout [UInt8]) {
        switch style {
        case .clock: appendClock(in: words.number.digits, to: &bytes)
        case .units: append(words.symbols, limit: 2, to: &bytes)
        case .words: append(words.words, limit: 2, to: &bytes)
        }
    }

    /// Returns the duration as text.
    public func text(_ style: Style, in words: TimeWords = .english) -> String {
        var bytes: [UInt8] = []
        append(style, in: words, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns only the largest unit, in words: a listener doesn't need the seconds of an hour.
    func roughly(in words: TimeWords) -> String {
        var bytes: [UInt8] = []
        append(words.words, limit: 1, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func appendClock(in script: DigitSet, to bytes: inout [UInt8]) {
        let hours = totalSeconds / 3_600
        if hours > 0 {
            Self.append(hours, digits: 1, in: script, to: &bytes)
            bytes.append(ASCII.colon)
        }
        Self.append(minutes, digits: hours > 0 ? 2 : 1, in: script, to: &bytes)
        bytes.append(ASCII.colon)
        Self.append(seconds, digits: 2, in: script, to: &bytes)
    }

    /// Appends the largest unit that isn't zero, and the next one unless it is zero.
    private func append(_ units: TimeWords.Units, limit: Int, to bytes: inout [UInt8]) {
        let counts: InlineArray<4, Int> = [days, hours, minutes, seconds]
        var first = 0
        while first < 3, counts[first] == 0 { first += 1 }
        units.all[first].append(counts[first], to: &bytes)
        guard limit > 1, first < 3, counts[first + 1] > 0 else { return }
        bytes.append(contentsOf: units.separator)
        units.all[first + 1].append(counts[first + 1], to: &bytes)
    }

    private static func append(_ value: Int, digits: Int, in script: DigitSet, to bytes: inout [UInt8]) {
        // At most 12 digits, by the limit on seconds.
        var power = 1
        var count = 1
        while count < digits || value / power >= 10 {
            power *= 10
            count += 1
        }
        while power > 0 {
            script.append(UInt8(truncatingIfNeeded: value / power % 10), to: &bytes)
            power /= 10
        }
    }
}
