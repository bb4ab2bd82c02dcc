// Results of requests as bytes: problems, webhook outcomes, readings, acceptances.

import Base
import Board
import Labels
import Tween
import Wire

extension Problem {
    func write(to writer: inout ByteWriter) {
        writer.count(status)
        writer.text(title)
        writer.text(detail)
        writer.optional(pointer) { $0.text($1) }
        writer.optional(retryAfter) { $0.count($1) }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (status, title, detail) = (try reader.count(), try reader.text(), try reader.text())
        let pointer = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.text() }
        let retryAfter = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.count() }
        self.init(status, title, detail, pointer: pointer, retryAfter: retryAfter)
    }
}

extension WebhookOutcome {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .answered(let status, let retryAfter):
            writer.byte(0)
            writer.count(status)
            writer.optional(retryAfter) { $0.double($1) }
        case .failed(let reason):
            writer.byte(1)
            writer.text(reason)
        case .forbidden(let reason):
            writer.byte(2)
            writer.text(reason)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        switch try reader.byte() {
        case 0:
            let status = try reader.count()
            let retryAfter = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.double() }
            self = .answered(status: status, retryAfter: retryAfter)
        case 1: self = .failed(try reader.text())
        case 2: self = .forbidden(try reader.text())
        default: throw ByteReader.Damage()
        }
    }
}

extension Acceptance {
    func write(to writer: inout ByteWriter) {
        writer.flag(created)
        writer.number(revision)
        writer.optional(animation) { $0.number($1) }
        writer.flag(unchanged)
        writer.flag(isLate)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (created, revision) = (try reader.flag(), try reader.unsigned())
        let animation = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.unsigned() }
        let unchanged = try reader.flag()
        self.init(
            created: created, revision: revision, animation: animation, unchanged: unchanged,
            isLate: try reader.flag())
    }
}

extension Reading {
    func write(to writer: inout ByteWriter) {
        switch value {
        case .exact(let value):
            writer.flag(true)
            writer.text(value.description)
        case .moving(let value):
            writer.flag(false)
            writer.double(value)
        }
        writer.data(text)
        writer.optional(fraction) { $0.double($1) }
        writer.optional(percent) { $0.number(Int64($1)) }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let value: Position
        if try reader.flag() {
            guard let exact = ExactDecimal(parsing: Array(try reader.text().utf8)) else { throw ByteReader.Damage() }
            value = .exact(exact)
        } else {
            value = .moving(try reader.double())
        }
        let text = try reader.data()
        let fraction = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.double() }
        let percent = try reader.optional { (reader) throws(ByteReader.Damage) in Int(try reader.signed()) }
        self.init(value: value, text: text, fraction: fraction, percent: percent)
    }
}

extension CompletionGroup {
    func write(to writer: inout ByteWriter) {
        writer.number(first)
        writer.number(last)
        writer.count(count)
        writer.text(reason.rawValue)
        reading.write(to: &writer)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let (first, last, count) = (try reader.unsigned(), try reader.unsigned(), try reader.count())
        guard let reason = CompletionReason(rawValue: try reader.text()) else { throw ByteReader.Damage() }
        self.init(first: first, last: last, count: count, reason: reason, reading: try Reading(from: &reader))
    }
}
