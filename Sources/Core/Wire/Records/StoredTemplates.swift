// Progress labels in records and logs of builds in which `{current}` was where the value moves, as `{target}` is now.

package import Base

/// Writes `{target}` in place of the `{current}` of such labels, so that they show what they did.
package enum StoredTemplates {
    /// Returns a client's JSON with the labels of its progress renewed, and everything else as it was written.
    /// - Parameter kind: What the JSON itself describes; nil for lists of actions and schedules.
    /// - Throws: A problem if it is no JSON.
    package static func renewed(_ source: [UInt8], of kind: ResourceKind? = nil) throws(Problem) -> [UInt8] {
        var renewal = Renewal(document: try UpdateDecoder.document(source, from: .stored))
        renewal.read(renewal.document.root, of: kind)
        return renewal.finish()
    }

    /// Returns a progress' label or `indeterminate` with today's names.
    static func renewed(_ template: String) -> String {
        guard template.contains(old) else { return template }
        var text = Substring(template)
        var written = ""
        while !text.isEmpty {
            if text.hasPrefix("{{") {
                written += "{{"
                text.removeFirst(2)
            } else if text.hasPrefix(old) {
                written += "{target}"
                text.removeFirst(old.count)
            } else {
                written.append(text.removeFirst())
            }
        }
        return written
    }

    private static let old = "{current}"

    private struct Renewal {
        let document: JSONDocument
        private var written: [UInt8] = []
        /// The end of what was read.
        private var place = 0

        init(document: JSONDocument) { self.document = document }

        mutating func read(_ node: JSONNode, of kind: ResourceKind?) {
            switch node.content {
            case .array(let elements): for element in elements { read(element, of: nil) }
            case .object(let members):
                let named = members.first { $0.name == "ticker" || $0.name == "progress" }?.name
                let isProgress = named.map { $0 == "progress" } ?? (kind == .progress)
                for member in members {
                    switch (member.name, member.value.content) {
                    case ("label", .string(let text)), ("indeterminate", .string(let text)):
                        if isProgress { replace(member.value, with: text) }
                    // They belong to clients.
                    case ("data", _), ("appearance", _): continue
                    default: read(member.value, of: nil)
                    }
                }
            case .null, .bool, .number, .double, .integer, .exact, .string: break
            }
        }

        private mutating func replace(_ node: JSONNode, with text: String) {
            let renewed = StoredTemplates.renewed(text)
            guard renewed != text else { return }
            // proven: nodes are read in the order in which they stand.
            written += document.bytes[place..<node.range.lowerBound]
            var json = JSONWriter()
            json.string(renewed)
            written += json.bytes
            place = node.range.upperBound
        }

        consuming func finish() -> [UInt8] {
            // proven: the end of a node is at most that of the document.
            place == 0 ? document.bytes : written + document.bytes[place...]
        }
    }
}

extension JSONDocument {
    /// Whether it is a record of such a build.
    var hasOldTemplates: Bool { bytes.first == RecordWriter.versionOfOldTemplates }
}
