// Who hears a topic at a shard, and the newest frame that they are to have.

/// The listeners of one topic, by the form they asked for.
struct TopicAudience {
    /// A link of a stream.
    struct Listener {
        var slot: Int32
        var link: Int32
    }

    /// The listeners in one variant.
    struct Group {
        let variant: UInt16
        var latest: [UInt8] = []
        var listeners: [Listener] = []
    }

    /// No two of one variant, and none without a listener.
    private(set) var groups: [Group] = []

    func group(of variant: UInt16) -> Int? { groups.firstIndex { $0.variant == variant } }

    /// - Returns: The place that the next listener in a variant gets.
    func nextPlace(_ variant: UInt16) -> Int32 {
        Int32(clamping: group(of: variant).map { groups[$0].listeners.count } ?? 0)
    }

    mutating func insert(_ listener: Listener, _ variant: UInt16) {
        if let group = group(of: variant) {
            groups[group].listeners.append(listener)
        } else {
            groups.append(Group(variant: variant, listeners: [listener]))
        }
    }

    /// Lets the listener at a place go; the last one takes it.
    /// - Returns: Who stands at the place now, if anybody does.
    mutating func remove(at place: Int32, _ variant: UInt16) -> Listener? {
        guard let group = group(of: variant), let last = groups[group].listeners.popLast() else { return nil }
        guard !groups[group].listeners.isEmpty else {
            // Its frame goes with it.
            groups.remove(at: group)
            return nil
        }
        guard Int(place) < groups[group].listeners.count else { return nil }
        groups[group].listeners[Int(place)] = last
        return last
    }

    mutating func setLatest(_ bytes: ArraySlice<UInt8>, ofGroup group: Int) {
        groups[group].latest.removeAll(keepingCapacity: true)
        groups[group].latest.append(contentsOf: bytes)
    }

    /// Appends the newest frame in a variant.
    /// - Returns: Whether anybody hears the topic in it.
    func append(_ variant: UInt16, to buffer: inout [UInt8]) -> Bool {
        // By index, so that no frame is counted a reference to.
        for group in groups.indices where groups[group].variant == variant {
            buffer.append(contentsOf: groups[group].latest)
            return true
        }
        return false
    }
}

/// What everyone in a group gets.
struct Delivery {
    let kind: TickBatch.Entry.Kind
    /// Copied once, so that a stream it waits for keeps its own bytes and not the batch.
    private let piece: WaitingBytes
    /// The same of one that names somebody.
    private let attributed: AttributedPiece?
    private let latest: [UInt8]
    /// The topic's newest frame, for those who were not sent it yet.
    lazy var frame = WaitingBytes(latest)

    init(_ kind: TickBatch.Entry.Kind, _ piece: WaitingBytes, _ attributed: AttributedPiece?, latest: [UInt8]) {
        self.kind = kind
        self.piece = piece
        self.attributed = attributed
        self.latest = latest
    }

    /// - Parameter readable: What the stream's reader may read; nil for everything.
    func piece(for readable: TopicSelection?) -> WaitingBytes { attributed?.piece(for: readable) ?? piece }
}
