// What a picture shows from now until its motion ends.

import Base
import Board
import Tween

/// The frames of a picture, which moves by itself: a page that has loaded it asks no more.
struct PictureFrames {
    struct Frame: Hashable {
        /// Seconds from now.
        let time: Double
        let text: String
        /// nil for a ticker, and while a progress is indeterminate.
        let fraction: Double?

        var isDone: Bool { (fraction ?? 0) >= 1 }
    }

    /// At least one; more while it moves.
    let all: [Frame]

    /// The longest time, in seconds, that a picture moves by itself; it then stays as it is.
    static let longest = 60.0
    private static let perSecond = 10.0
    private static let most = 120
    /// The most columns of a text.
    private static let longestText = 120

    init(_ track: Track, at now: Instant) {
        func frame(_ time: Double) -> Frame {
            let reading = track.reading(at: now.advanced(bySeconds: time))
            return Frame(
                time: time, text: TerminalText(reading.text, fittedTo: Self.longestText).text,
                fraction: reading.fraction)
        }
        guard let motion = track.run?.motion, !motion.isPaused else {
            all = [frame(0)]
            return
        }
        var span = min(max(motion.end?.seconds(since: now) ?? Self.longest, 0), Self.longest)
        // Too few frames would show other movements of something that goes to and fro.
        let cycle = motion.cycleDuration / motion.playback.rate.magnitude
        if motion.course.cycles.iterations > 1, cycle < span { span = min(span, Double(Self.most) / Self.perSecond) }
        let count = min(max(Int(saturating: (span * Self.perSecond).rounded(.up)), 1), Self.most)
        all = (0...count).map { frame(span * Double($0) / Double(count)) }
    }

    var first: Frame { all[0] }
    var isMoving: Bool { all.count > 1 }
    /// Seconds until the last frame.
    var span: Double { all.last?.time ?? 0 }
    var fractions: [Double] { all.map { min(max($0.fraction ?? 0, 0), 1) } }

    /// The frames whose text differs from the one before.
    var texts: [Frame] {
        var texts: [Frame] = []
        for frame in all where texts.last?.text != frame.text { texts.append(frame) }
        return texts
    }
}
