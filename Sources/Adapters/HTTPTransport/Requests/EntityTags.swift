// The entity tags of `If-Match` and `If-None-Match` (RFC 9110, 8.8.3 and 13.1).

/// One entity tag.
package struct EntityTag: Hashable, Sendable {
    /// The text between its quotation marks.
    package var text: String
    package var isWeak = false
}

/// The tags of a condition.
package enum EntityTags: Hashable, Sendable {
    /// `*`: any existing representation.
    case any
    case list([EntityTag])

    /// - Parameter text: All of the header's lines, joined by commas.
    /// - Returns: nil for an empty or malformed list.
    package init?(_ text: String) {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        if scanner.isStar {
            self = .any
            return
        }
        guard let tags = scanner.tags(), !tags.isEmpty else { return nil }
        self = .list(tags)
    }

    /// Returns whether a tag is in the list, by strong comparison (`If-Match`) or weak (`If-None-Match`).
    func contains(_ tag: String, isStrong: Bool) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { $0.text == tag && !(isStrong && $0.isWeak) }
        }
    }
}

/// Scans a list of tags.
private struct Scanner {
    var rest: ArraySlice<UInt8>

    /// Whether the text is a single star.
    var isStar: Bool {
        var text = rest.drop(while: Self.isBlank)
        while let last = text.last, Self.isBlank(last) { text.removeLast() }
        return text.elementsEqual("*".utf8)
    }

    /// - Returns: nil if the text contains anything but tags.
    mutating func tags() -> [EntityTag]? {
        var tags: [EntityTag] = []
        while true {
            // An element may be empty (RFC 9110, 5.6.1).
            rest = rest.drop { Self.isBlank($0) || $0 == UInt8(ascii: ",") }
            guard !rest.isEmpty else { return tags }
            guard let tag = tag() else { return nil }
            tags.append(tag)
            rest = rest.drop(while: Self.isBlank)
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
        }
    }

    private mutating func tag() -> EntityTag? {
        let isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        let text = rest.dropFirst().prefix(while: Self.isOfTag)
        rest = rest.dropFirst(text.count + 1)
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        return EntityTag(text: String(decoding: text, as: UTF8.self), isWeak: isWeak)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isOfTag(_ byte: UInt8) -> Bool { byte == 0x21 || byte > 0x22 && byte != 0x7F }
}
