// Parses records into the same nodes as JSON text, so that both are read by name.

import Base
import Labels

/// The grammar of the compact form, by recursive descent with a bounded depth.
struct RecordParser {
    private var reader: ByteReader
    private var lastInstant: Int64 = 0
    private var depth = 0

    /// Parses a record.
    /// - Throws: A problem if it is damaged, or has another format than this program's.
    static func document(_ body: [UInt8]) throws(Problem) -> JSONDocument {
        switch body.first {
        case RecordWriter.version, RecordWriter.versionOfOldTemplates:
            var parser = RecordParser(reader: ByteReader(body))
            do throws(ByteReader.Damage) {
                return JSONDocument(record: body, try parser.root())
            } catch {
                throw problem("the record is damaged (at byte \(parser.reader.position))")
            }
        case let form?: throw problem("the record is of form \(form), this program knows \(RecordWriter.version)")
        case nil: throw problem("the record is empty")
        }
    }

    private static func problem(_ detail: String) -> Problem { Problem(422, "Unprocessable Content", detail) }

    private init(reader: ByteReader) { self.reader = reader }

    private mutating func root() throws(ByteReader.Damage) -> JSONNode {
        _ = try reader.byte()
        let members = try members(expected: 16)
        guard reader.isAtEnd else { throw ByteReader.Damage() }
        return Self.node(.object(members))
    }

    private static func node(_ content: JSONNode.Content) -> JSONNode { JSONNode(content: content, range: 0..<0) }

    private mutating func members(expected: Int) throws(ByteReader.Damage) -> [JSONMember] {
        var members: [JSONMember] = []
        members.reserveCapacity(expected)
        var keys = RecordKeySet()
        while true {
            let key = try reader.byte()
            switch key {
            case RecordKey.end: return members
            case 1...UInt8(RecordKey.mostNames):
                guard !keys.contains(key) else { throw ByteReader.Damage() }
                keys.insert(key)
                let value = try value()
                // A later program's name; unknown names have always been ignored.
                guard let name = RecordKey.name(of: key) else { continue }
                members.append(JSONMember(name: name, key: key, value: value))
            case RecordKey.spelled:
                let name = try text(try reader.count())
                members.append(JSONMember(name: name, key: nil, value: try value()))
            default: throw ByteReader.Damage()
            }
        }
    }

    private mutating func value() throws(ByteReader.Damage) -> JSONNode {
        let tag = try reader.byte()
        switch tag {
        case RecordTag.shortText: return Self.node(.string(try text(Int(tag - RecordTag.shortText.lowerBound))))
        case RecordTag.digits: return Self.node(.double(Double(tag - RecordTag.digits.lowerBound)))
        case RecordTag.exact:
            return Self.node(.exact(try reader.signed(), scale: tag - RecordTag.exact.lowerBound))
        case RecordTag.double:
            let value = try reader.double()
            guard value.isFinite else { throw ByteReader.Damage() }
            return Self.node(.double(value))
        case RecordTag.whole: return Self.node(.double(Double(try reader.signed())))
        case RecordTag.thousandths: return Self.node(.double(Double(try reader.signed()) / 1_000))
        case RecordTag.integer: return Self.node(.integer(try reader.signed()))
        case RecordTag.instant:
            lastInstant &+= try reader.signed()
            return Self.node(.integer(lastInstant))
        case RecordTag.null: return Self.node(.null)
        case RecordTag.no: return Self.node(.bool(false))
        case RecordTag.yes: return Self.node(.bool(true))
        case RecordTag.text: return Self.node(.string(try text(try reader.count())))
        case RecordTag.json: return try json()
        case RecordTag.object, RecordTag.list: return try nested(tag)
        default: throw ByteReader.Damage()
        }
    }

    private mutating func nested(_ tag: UInt8) throws(ByteReader.Damage) -> JSONNode {
        guard depth < JSONDocument.Origin.stored.maximumDepth else { throw ByteReader.Damage() }
        depth += 1
        defer { depth -= 1 }
        guard tag == RecordTag.list else { return Self.node(.object(try members(expected: 8))) }
        var elements: [JSONNode] = []
        elements.reserveCapacity(4)
        while reader.next != RecordTag.end { elements.append(try value()) }
        _ = try reader.byte()
        return Self.node(.array(elements))
    }

    /// Reads a text through a span, which retains nothing.
    private mutating func text(_ count: Int) throws(ByteReader.Damage) -> String {
        let range = try reader.range(count)
        guard let text = try? UTF8Span(validating: reader.bytes.span.extracting(range)) else {
            throw ByteReader.Damage()
        }
        return String(copying: text)
    }

    /// Parses JSON in place: its source is a part of the record.
    private mutating func json() throws(ByteReader.Damage) -> JSONNode {
        let range = try reader.range(try reader.count())
        var parser = JSONParser(reader.bytes, range, maximumDepth: JSONDocument.Origin.stored.maximumDepth)
        guard let node = try? parser.document() else { throw ByteReader.Damage() }
        return node
    }
}
