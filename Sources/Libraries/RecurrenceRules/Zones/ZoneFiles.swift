// The time zones' files of a machine, as somebody has read them: the names that the IANA database gives them, their bytes,
// and which edition of it they are.

/// Files of time zones, by name.
package struct ZoneFiles: Sendable {
    /// The version of the IANA database, such as `2026a`; a name made of the bytes where it is unknown.
    package let version: String
    /// Tells apart files of one version that are not the same.
    let edition: String
    private let files: [String: [UInt8]]
    private let links: [String: String]

    /// - Parameters:
    ///   - version: which version of the IANA database they are; nil where it is unknown.
    ///   - files: TZif, by the zones' names.
    ///   - links: zones' names by other names, for those that have no file of their own.
    package init(version: String?, files: [String: [UInt8]], links: [String: String] = [:]) {
        // FNV-1a: the same files are the same edition in every process.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        for name in files.keys.sorted() {
            add(name.utf8)
            add(files[name] ?? [])
        }
        let mark = String(digest, radix: 16)
        self.version = version ?? "unnamed-\(mark)"
        edition = "\(self.version)-\(mark)"
        (self.files, self.links) = (files, links)
    }

    /// The file of a zone, under its own name or that which it is linked to.
    subscript(name: String) -> [UInt8]? { files[name] ?? links[name].flatMap { files[$0] } }

    // MARK: - The database as text

    /// The version that `tzdata.zi` names in its first line: `# version 2026a`.
    package static func version(ofDatabase text: String) -> String? {
        let words = text.prefix { !$0.isNewline }.split(separator: " ")
        return words.count >= 3 && words[0] == "#" && words[1] == "version" ? String(words[2]) : nil
    }

    /// Its links, `L Europe/Berlin Europe/Copenhagen`: systems leave out files of old names.
    package static func links(ofDatabase text: String) -> [String: String] {
        var links: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("L") {
            let words = line.split(separator: " ")
            if words.count >= 3, words[0] == "L" || words[0] == "Link" { links[String(words[2])] = String(words[1]) }
        }
        // One may be linked to another.
        return links.mapValues { links[$0] ?? $0 }
    }
}
