// What goes out on a stream: a browser makes of it exactly the events that were published, whatever is in them.

import Base
import EventStream

extension FuzzTarget {
    /// Texts that a client controls, as frames and as payloads of events.
    static let events = FuzzTarget("events") { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let variant = input.choice([Variant(text: true, stamp: false), .json])
        try EventProperties.check(input.pieces(by: 0xFF), variant)
    }

    /// Events that a store kept.
    static let pastEvents = FuzzTarget("past-events") { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let last = Int64(input.byte())
        try EventProperties.checkPast(input.bytes, last: last)
    }
}

enum EventProperties {
    static func check(_ payloads: [[UInt8]], _ variant: Variant) throws(Violation) {
        let script = HubScript(epoch: "e")
        var stream = script.open(variant)
        var expected: [ParsedEvent] = []
        for (index, payload) in payloads.enumerated() {
            let data = normalized(payload)
            script.publish("notification", payload)
            let id = Array("e-\(index + 1)".utf8)
            expected.append(ParsedEvent(type: Array("notification".utf8), data: data, lastEventID: id))
            // JSON has no line breaks; texts may have them.
            if variant.isText || !payload.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
                script.frame(payload, variant)
                expected.append(ParsedEvent(type: Array("message".utf8), data: data, lastEventID: id))
            }
            stream += script.drain()
        }
        let parser = EventStreamParser(stream)
        try require(parser.strangers.isEmpty, "fields that nobody wrote: \(parser.strangers)")
        try require(!parser.isCutOff, "an event without an end")
        try require(parser.retries.count == 1, "\(parser.retries.count) retries")
        let events = Array(parser.events.dropFirst())
        try require(events == expected, "\(events.count) events are heard in place of \(expected.count), or others")
    }

    /// As the standard joins lines: each break is a line feed.
    private static func normalized(_ payload: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var previous: UInt8 = 0
        for byte in payload {
            let endsPair = byte == 0x0A && previous == 0x0D
            if !endsPair { text.append(byte == 0x0D ? 0x0A : byte) }
            previous = byte
        }
        return text
    }

    /// Damaged or not, what a store kept ends nothing; what is read of it is written the same.
    static func checkPast(_ bytes: [UInt8], last: Int64) throws(Violation) {
        var past = PastEvents(maximumBytes: HubConfiguration().historyBytes)
        do throws(PastEvents.Damage) {
            try past.append(bytes, last: last, epoch: "old", at: 5)
        } catch {
            return
        }
        try require(past.lastNumber == last, "the last number is \(past.lastNumber)")
        let stream = HubScript(epoch: "new", past: past).open(after: "old-0")
        try require(stream.starts(with: "id: old-0\nevent: hello\n".utf8), "a stream that doesn't begin with hello")
        var record = EventRecord(HubConfiguration())
        let portion = EventRecord.Segment(epoch: "old", last: last, instant: 5, bytes: bytes)
        guard (try? record.append(portion)) != nil else { throw Violation("a portion is read once, and not again") }
        let portions = record.portions
        var again = EventRecord(HubConfiguration())
        for portion in portions {
            guard (try? again.append(portion)) != nil else {
                throw Violation("a portion that was written can't be read")
            }
        }
        try require(again.portions == portions, "a portion is another one when it has been read")
    }
}
