// A stream's subscription to one topic form.

import Base

extension ShardStream {
    /// A subscription to one topic form.
    struct Link {
        // This order takes 12 bytes in a table.
        let topic: Int32
        /// The index of the stream among the topic's subscribers.
        var place: Int32
        let variant: UInt16
        private var marks: Marks = []

        init(topic: Int32, place: Int32, variant: UInt16) {
            (self.topic, self.place, self.variant) = (topic, place, variant)
        }
    }
}

extension ShardStream.Link {
    private struct Marks: OptionSet {
        let rawValue: UInt8

        static let dirty = Marks(rawValue: 1)
        static let greeted = Marks(rawValue: 2)
        static let hidden = Marks(rawValue: 4)
    }

    /// The topic's newest frame is not sent yet.
    var isDirty: Bool {
        get { marks.contains(.dirty) }
        set { mark(.dirty, newValue) }
    }

    /// The stream was shown a state that the topic's other subscribers have not seen yet.
    var isGreeted: Bool {
        get { marks.contains(.greeted) }
        set { mark(.greeted, newValue) }
    }

    /// The stream's encoder shows nothing of the topic.
    var isHidden: Bool {
        get { marks.contains(.hidden) }
        set { mark(.hidden, newValue) }
    }

    private mutating func mark(_ mark: Marks, _ isSet: Bool) {
        if isSet { marks.formUnion(mark) } else { marks.subtract(mark) }
    }

    /// The effect of a newer frame on a link.
    enum Newer {
        /// Nothing: the frame is for other streams, or shows nothing there.
        case none
        /// The frame replaces an unsent one.
        case replacing
        case first
    }

    /// - Parameter isFull: Whether frames of hidden topics change nothing.
    mutating func recordFrame(for audience: FrameAudience, isFull: Bool) -> Newer {
        let wasGreeted = isGreeted
        isGreeted = false
        if isFull, isHidden { return .none }
        guard audience == .all || (audience == .greetedOnly) == wasGreeted else { return .none }
        defer { isDirty = true }
        return isDirty ? .replacing : .first
    }

    /// - Returns: Whether it was dirty.
    mutating func becomeClean() -> Bool {
        defer { isDirty = false }
        return isDirty
    }

    /// Records that its topic's state is queued: the encoder may show the topic from then on.
    /// - Returns: Whether it was dirty.
    mutating func becomeCleanAndShown() -> Bool {
        isHidden = false
        return becomeClean()
    }
}
