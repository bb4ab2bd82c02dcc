// A topic's subscribers in a shard, and the newest frame for them.

/// The subscribers of one topic, by variant.
struct TopicAudience {
    /// A link of a stream.
    struct Listener {
        var slot: Int32
        var link: Int32
    }

    /// The subscribers in one variant.
    struct Group {
        let variant: UInt16
        var newest = NewestFrame()
        var listeners: [Listener] = []
    }

    /// One group for each variant; none is empty.
    private(set) var groups: [Group] = []

    func group(of variant: UInt16) -> Int? { groups.firstIndex { $0.variant == variant } }

    /// - Returns: The index that the next subscriber in a variant gets.
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

    /// Removes the subscriber at an index; the last one takes its place.
    /// - Returns: The subscriber that moved to the index, if any.
    mutating func remove(at place: Int32, _ variant: UInt16) -> Listener? {
        guard let group = group(of: variant), let last = groups[group].listeners.popLast() else { return nil }
        guard !groups[group].listeners.isEmpty else {
            // Its frame is dropped, too.
            groups.remove(at: group)
            return nil
        }
        guard Int(place) < groups[group].listeners.count else { return nil }
        groups[group].listeners[Int(place)] = last
        return last
    }

    mutating func setNewest(_ chunk: ArraySlice<UInt8>, ofGroup group: Int) { groups[group].newest.replace(by: chunk) }

    /// Appends the newest frame in a variant.
    /// - Returns: Whether the topic has subscribers in it.
    func append(_ variant: UInt16, to buffer: inout [UInt8]) -> Bool {
        // By index, which avoids reference counting for each frame.
        for group in groups.indices where groups[group].variant == variant {
            buffer.append(contentsOf: groups[group].newest.chunk)
            return true
        }
        return false
    }

    /// Appends the newest frame in a variant as a stream's encoder writes it.
    /// - Returns: nil without subscribers in it.
    mutating func append(
        _ variant: UInt16, by encoder: inout (any StreamEncoder)?, on link: Int, to buffer: inout [UInt8]
    ) -> EncodedFrame? {
        guard let group = group(of: variant) else { return nil }
        return encoder?.append(&groups[group].newest, on: link, to: &buffer)
    }
}

/// What all subscribers of a group receive.
struct Delivery {
    let kind: TickBatch.Entry.Kind
    /// Copied once, so that a stream's queue keeps only these bytes and not the batch.
    private let piece: WaitingBytes
    /// The same bytes, if they name another resource that not every reader may read.
    private let attributed: AttributedPiece?
    private let latest: [UInt8]
    /// The topic's newest frame, for streams that have not sent it yet.
    lazy var frame = WaitingBytes(latest)

    init(_ kind: TickBatch.Entry.Kind, _ piece: WaitingBytes, _ attributed: AttributedPiece?, latest: [UInt8]) {
        self.kind = kind
        self.piece = piece
        self.attributed = attributed
        self.latest = latest
    }

    /// - Parameter readable: The topics that the stream's reader may read; nil for all.
    func piece(for readable: TopicSelection?) -> WaitingBytes { attributed?.piece(for: readable) ?? piece }
}
