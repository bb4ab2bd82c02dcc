// What a resource's frames show: made once for all its forms, and once for each in a reader's locale.

import Base
import Board
import Labels
import Tween
import Wire

/// What a resource shows at an instant.
struct FrameState {
    /// What is shown.
    enum Subject {
        case track(Track)
        /// The end of a motion, and the track as the motion left it; nil if that is gone.
        case end(Reading, Track?, isRemoved: Bool)
        case schedule(Schedule, isHeld: Bool)
    }

    let subject: Subject
    let instant: Instant
    /// The number; nil for a countdown.
    let position: Position?
    /// Progress with a maximum only.
    let fraction: Double?
    let percent: Int?
    /// The text, escaped for JSON; that of a countdown is not.
    private(set) var text: [UInt8] = []

    /// - Parameter buffer: Room for the text; left empty. Give it `text` when the state is done with.
    init(_ subject: Subject, at now: Instant, in buffer: inout [UInt8]) {
        swap(&text, &buffer)
        text.removeAll(keepingCapacity: true)
        switch subject {
        case .track(let track):
            let position = track.position(at: now)
            let share = track.share(of: position, at: now)
            (self.position, fraction, percent) = (position, share?.fraction, share?.percent)
            track.appendText(position, at: now, escaped: true, to: &text)
        case .end(let reading, _, _):
            (position, fraction, percent) = (reading.value, reading.fraction, reading.percent)
            JSONText.appendEscaped(reading.text, to: &text)
        case .schedule(let schedule, _):
            (position, fraction, percent) = (nil, nil, nil)
            text = ScheduleEncoder.text(of: schedule, at: now)
        }
        (self.subject, instant) = (subject, now)
    }

    /// The number as a double; nil for a countdown.
    var value: Double? { position?.double }

    /// Whether this is a motion's end, so that the wheels show the digits of its number.
    var isFinal: Bool {
        if case .end = subject { true } else { false }
    }

    /// Whether a motion runs: subscribers that interpolate have it, and need no frame.
    var isInMotion: Bool {
        if case .track(let track) = subject { track.run != nil } else { false }
    }

    /// Whether frames have what their forms show beside value and text; that of a resource that is gone is not known.
    var isWhole: Bool {
        switch subject {
        case .track, .schedule: true
        case .end(_, let track, let isRemoved): track != nil && !isRemoved
        }
    }

    /// The track whose wheels and strings are shown.
    var track: Track? {
        switch subject {
        case .track(let track): track
        case .end(_, let track, let isRemoved): isRemoved ? nil : track
        case .schedule: nil
        }
    }

    /// Appends the text alone.
    func appendPlainText(to bytes: inout [UInt8]) {
        let start = bytes.count
        switch subject {
        case .track(let track):
            if let position { track.appendText(position, at: instant, escaped: false, to: &bytes) }
        case .end(let reading, _, _): bytes.append(contentsOf: reading.text)
        case .schedule: bytes.append(contentsOf: text)
        }
        ControlCharacters.strip(&bytes, from: start)
    }
}
