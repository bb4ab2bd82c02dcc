// The newest frame of a topic, and what encoders have made of it, so that many streams of one form share the work.

import Base

/// What an encoder reads from a frame, for all its streams.
package protocol FrameDigest: AnyObject, Sendable {}

/// A frame as an encoder has written it.
package enum EncodedFrame: Sendable {
    /// The stream shows nothing of its topic. This many bytes were read to find out.
    case hidden(from: Int)
    /// It was written before, for this stream or another.
    case shared
    /// It was written from this many bytes.
    case made(from: Int)
}

/// A topic's newest frame in one variant.
package struct NewestFrame: Sendable {
    private enum Copy {
        case digest(any FrameDigest)
        case form(key: UInt64, bytes: [UInt8])
    }

    /// The forms that are kept; the next replaces the oldest.
    package static let mostCopies = 8

    /// The event as a chunk; empty before the first frame.
    private(set) var chunk: [UInt8] = []
    /// In one array, because most topics have none: the digest, if there is one, then forms, the oldest first.
    private var copies: [Copy] = []

    package init() {}

    package mutating func replace(by chunk: ArraySlice<UInt8>) {
        self.chunk.removeAll(keepingCapacity: true)
        self.chunk.append(contentsOf: chunk)
        if !copies.isEmpty { copies.removeAll(keepingCapacity: true) }
    }

    /// The number of bytes of its chunk.
    package var size: Int { chunk.count }

    /// Returns what an encoder reads from the frame, which is read once.
    /// - Parameter read: Reads it from the event.
    package mutating func digest<Digest: FrameDigest>(_ read: (ArraySlice<UInt8>) -> Digest?) -> Digest? {
        if case .digest(let known)? = copies.first, let known = known as? Digest { return known }
        guard let made = withEvent(read) else { return nil }
        copies.removeAll { if case .digest = $0 { true } else { false } }
        copies.insert(.digest(made), at: 0)
        return made
    }

    /// Passes on the event without its chunk; nil before the first frame.
    package func withEvent<Result>(_ read: (ArraySlice<UInt8>) -> Result?) -> Result? {
        var result: Result?
        Chunk.forEach(in: chunk[...]) { result = read($0) }
        return result
    }

    /// Returns the frame in a form that the key stands for.
    /// - Returns: nil if it has not been made yet; `keep` then adds it.
    package func copy(_ key: UInt64) -> [UInt8]? {
        for case .form(key, let bytes) in copies { return bytes }
        return nil
    }

    /// Keeps a form of the frame for other streams.
    package mutating func keep(_ bytes: [UInt8], as key: UInt64) {
        let first = if case .digest? = copies.first { 1 } else { 0 }
        if copies.count - first == Self.mostCopies { copies.remove(at: first) }
        copies.append(.form(key: key, bytes: bytes))
    }
}
