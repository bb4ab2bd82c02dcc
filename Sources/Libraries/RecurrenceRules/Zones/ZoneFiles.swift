// A machine's time zone files in memory: their IANA names, their bytes, and their edition.

import Base

/// Time zone files by name.
package struct ZoneFiles: Sendable {
    /// The version of the IANA database, such as `2026a`; `unnamed-` and a hash if it is unknown.
    package let version: String
    /// Distinguishes different files and links of one version.
    let edition: String
    private let files: [String: [UInt8]]
    private let links: [String: String]

    /// - Parameters:
    ///   - version: the version of the IANA database; nil if unknown.
    ///   - files: TZif, by zone name.
    ///   - links: alternative names of zones, for names without a file of their own.
    package init(version: String?, files: [String: [UInt8]], links: [String: String] = [:]) {
        // The same files give the same edition in every process.
        var hash = FNV1a()
        for name in files.keys.sorted() {
            hash.add(name.utf8)
            hash.add(files[name] ?? [])
        }
        for name in links.keys.sorted() {
            hash.add(name.utf8)
            hash.add((links[name] ?? "").utf8)
        }
        let hashText = String(hash.value, radix: 16)
        self.version = version ?? "unnamed-\(hashText)"
        edition = "\(self.version)-\(hashText)"
        (self.files, self.links) = (files, links)
    }

    /// The file of a zone, by its own name or through a link.
    subscript(name: String) -> [UInt8]? { files[name] ?? links[name].flatMap { files[$0] } }

    // MARK: - The database as text

    /// Returns the version in the first line of `tzdata.zi`: `# version 2026a`.
    package static func version(ofDatabase text: String) -> String? {
        let words = text.prefix { !$0.isNewline }.split(separator: " ")
        return words.count >= 3 && words[0] == "#" && words[1] == "version" ? String(words[2]) : nil
    }

    /// Returns the links of the database, `L Europe/Berlin Europe/Copenhagen`: systems may omit files of old names.
    package static func links(ofDatabase text: String) -> [String: String] {
        // Bytes, because splitting characters took a twentieth of a start.
        let (newline, space) = (UInt8(ascii: "\n"), UInt8(ascii: " "))
        var links: [String: String] = [:]
        for line in text.utf8.split(separator: newline) where line.first == UInt8(ascii: "L") {
            let words = line.split(separator: space).map { Substring($0) }
            if words.count >= 3, words[0] == "L" || words[0] == "Link" { links[String(words[2])] = String(words[1]) }
        }
        // A link may point to another link, which then points to a zone.
        return links.mapValues { links[$0] ?? $0 }
    }
}
