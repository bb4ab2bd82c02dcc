// The name that somebody may have meant who wrote another one.

/// Looks for names that are nearly what was written.
package enum NearestName {
    /// The most letters that may be wrong. Names that differ by more in length are not compared, so that it costs little whatever
    /// is written.
    private static let mostWrong = 2

    /// `; did you mean duration?`, for the end of a refusal.
    /// - Parameter names: In ASCII.
    /// - Returns: An empty text where no name is near: a letter in three may be wrong, two in all, and capitals count as small.
    package static func hint(for text: String, among names: some Sequence<String>) -> String {
        let length = text.utf8.count
        let candidates = names.filter { abs($0.utf8.count - length) <= mostWrong }
        guard !candidates.isEmpty else { return "" }
        let written = lowercased(text)
        let near = candidates.map { (name: $0, distance: distance(from: written, to: lowercased($0))) }
            .filter { $0.distance <= min(mostWrong, $0.name.utf8.count / 3 + 1) }
        guard let nearest = near.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return "" }
        return "; did you mean \(nearest.name)?"
    }

    private static func lowercased(_ text: String) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// How many bytes have to be put in, taken out or replaced (Levenshtein, 1965).
    private static func distance(from left: [UInt8], to right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var before = row[0]
            row[0] = index + 1
            for (place, other) in right.enumerated() {
                let replaced = before + (byte == other ? 0 : 1)
                before = row[place + 1]
                row[place + 1] = min(replaced, before + 1, row[place] + 1)
            }
        }
        return row[right.count]
    }
}
