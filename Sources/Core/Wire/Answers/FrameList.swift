// The frames of a number from one instant to another, for films and charts: each is what a stream would have sent then.

import Base
package import Board
import Labels
package import Tween

/// A list of frames.
package struct FrameList: Sendable {
    /// The frames that a request asks for.
    package struct Selection: Hashable, Sendable {
        /// nil: the start or last change of the motion under way, or now.
        package var from: MomentTime?
        /// nil: the end of the motion under way, or now.
        package var to: MomentTime?
        /// nil: 60, or as many as a list can have.
        package var framesPerSecond: Double?

        package init(from: MomentTime? = nil, to: MomentTime? = nil, framesPerSecond: Double? = nil) {
            self.from = from
            self.to = to
            self.framesPerSecond = framesPerSecond
        }

        /// The frames a second that may be asked for.
        package static let rates = 0.001...1_000
    }

    /// How a list is written.
    package enum Form: String, CaseIterable, Hashable, Sendable {
        case json, ndjson, csv

        package var contentType: String {
            switch self {
            case .json: "application/json"
            case .ndjson: "application/x-ndjson"
            case .csv: "text/csv; charset=utf-8"
            }
        }
    }

    /// The most frames of a list: a minute of the usual rate, and its end.
    package static let most = 3_601
    private static let usualRate = 60.0

    /// What the number shows at one of the instants.
    struct Frame {
        /// Seconds since the first frame.
        let time: Double
        let reading: Reading
        let source: Moment.Source
    }

    private let track: Track
    private let now: Instant
    let from: Instant
    private let to: Instant
    let framesPerSecond: Double
    /// The number of frames.
    let count: Int

    /// Finds the instants. The last is the end that was asked for, even if that is less than a frame after the one before.
    /// - Throws: 422 if it is not known what the number shows then, or if there would be too many.
    package init(of track: Track, _ selection: Selection, at now: Instant) throws(Problem) {
        let usual = track.run == nil ? now : track.knowledgeStart
        let wanted = try selection.from?.instant(of: track, "?from") ?? usual
        guard let end = try selection.to?.instant(of: track, "?to") ?? track.knowledgeEnd(at: now) else {
            throw .field("?to", "the motion has no end; say until when")
        }
        guard wanted <= end else { throw .field("?to", "must not be before `from`") }
        let first = try MomentEncoder.moment(of: track, at: wanted, now, "?from")
        // A start or an end that is named in milliseconds lies within one.
        let (from, to) = (first.instant, try MomentEncoder.moment(of: track, at: end, now, "?to").instant)
        let span = to.seconds(since: from)
        let rate = selection.framesPerSecond ?? min(Self.usualRate, Double(Self.most - 1) / span)
        // The share of a frame by which the product may be off.
        let count = (span * rate - 1e-6).rounded(.up)
        guard count < Double(Self.most) else {
            throw .field(
                "?fps", "there would be \(Int(saturating: count) + 1) frames; a list has \(Self.most) at most")
        }
        self.track = track.withoutConsequences
        self.now = now
        (self.from, self.to, framesPerSecond) = (from, to, rate)
        self.count = max(0, Int(saturating: count)) + 1
    }

    var name: ResourceName { track.name }

    /// Returns a frame. Never nil in practice: both ends are known, so everything between them is.
    func frame(_ index: Int) -> Frame? {
        let time = min(Double(index) / framesPerSecond, to.seconds(since: from))
        // Doubles of an end round, so that the last product may be nanoseconds before it.
        let instant = index + 1 == count ? to : min(from.advanced(bySeconds: time), to)
        guard let moment = try? track.moment(at: instant, now: now) else { return nil }
        return Frame(time: time, reading: moment.reading, source: moment.source)
    }
}
