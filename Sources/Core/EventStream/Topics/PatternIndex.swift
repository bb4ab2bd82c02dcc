// Finds the streams that subscribe to a topic: one lookup for its name and one for each prefix length in use, however many
// streams and patterns there are.

import Base

struct PatternIndex {
    /// A single stream needs no dictionary.
    private enum Streams {
        case one(HubStream)
        case many([StreamID: HubStream])
    }

    private var streams = SplitTable<TopicPattern, Streams>()
    /// The number of entries for each prefix length, by kind.
    private var lengths: [[Int]] = TopicKind.allCases.map { _ in [] }
    /// The number of patterns of all streams.
    private(set) var count = 0

    mutating func insert(_ stream: HubStream) {
        count += stream.parts.patternCount
        Self.forEachEntry(of: stream) { pattern in
            let isNew = streams.update(pattern) { known in
                switch known {
                case nil:
                    known = .one(stream)
                    return true
                case .one(let other): known = .many([other.key: other, stream.key: stream])
                case .many(var all):
                    known = nil
                    all[stream.key] = stream
                    known = .many(all)
                }
                return false
            }
            if isNew { recordLength(of: pattern, 1) }
        }
    }

    mutating func remove(_ stream: HubStream) {
        count -= stream.parts.patternCount
        Self.forEachEntry(of: stream) { pattern in
            let isGone = streams.update(pattern) { known in
                guard case .many(var all) = known else {
                    known = nil
                    return true
                }
                known = nil
                all[stream.key] = nil
                if !all.isEmpty { known = .many(all) }
                return all.isEmpty
            }
            if isGone { recordLength(of: pattern, -1) }
        }
    }

    /// Calls `body` with a stream's patterns, and the common topic of each of their kinds.
    private static func forEachEntry(of stream: HubStream, _ body: (TopicPattern) -> Void) {
        for pattern in stream.selection.patterns { body(pattern) }
        for kind in stream.selection.kinds { body(TopicPattern(.all(kind))) }
    }

    /// Whether a stream subscribes to this name.
    func contains(_ name: TopicName) -> Bool {
        guard !streams.isEmpty else { return false }
        if streams[TopicPattern(name)] != nil { return true }
        return prefixes(of: name).contains { streams[$0] != nil }
    }

    /// Calls `body` once with each stream that subscribes to this name.
    func forEach(wanting name: TopicName, _ body: (HubStream) -> Void) {
        guard !streams.isEmpty else { return }
        Self.forEach(streams[TopicPattern(name)], body)
        for prefix in prefixes(of: name) { Self.forEach(streams[prefix], body) }
    }

    private static func forEach(_ streams: Streams?, _ body: (HubStream) -> Void) {
        switch streams {
        case nil: break
        case .one(let stream): body(stream)
        case .many(let all): for stream in all.values { body(stream) }
        }
    }

    /// The prefixes of a name whose lengths are in use.
    private func prefixes(of name: TopicName) -> [TopicPattern] {
        // The common topic of a kind matches no prefix.
        guard name.id != TopicName.everyID else { return [] }
        let counts = lengths[Int(name.kind.rawValue)]
        let bytes = name.id.utf8
        return counts.indices.prefix(bytes.count + 1).filter { counts[$0] > 0 }.map { length in
            TopicPattern(kind: name.kind, prefix: String(decoding: bytes.prefix(length), as: UTF8.self))
        }
    }

    private mutating func recordLength(of pattern: TopicPattern, _ change: Int) {
        guard pattern.isPrefix else { return }
        let kind = Int(pattern.kind.rawValue)
        let length = pattern.text.utf8.count
        while lengths[kind].count <= length { lengths[kind].append(0) }
        lengths[kind][length] += change
    }
}
