// Named events of earlier runs, as a store kept them.

import EventStream
import Replication
import Storage
import Testing
import Tween

@testable import TweencastService

@Suite struct PastEventsTests {
    @Test func `damaged stored events are skipped, and their numbers are not reused`() {
        var stored: [StoredEvents] = []
        let good = Array("1 1 0 a 3\nabc".utf8)
        for (first, last, bytes) in [
            (1, 1, good), (2, 5, Array("2 1 0".utf8)), (2, 5, good), (6, 6, Array("6 1 0 a 1\nx".utf8)),
            (7, Int64.max, Array("9223372036854775807 1 0 a 0\n".utf8)),
        ] as [(Int64, Int64, [UInt8])] {
            stored.append(StoredEvents(epoch: "e", first: first, last: last, time: .min, bytes: bytes))
        }
        let past = PastEvents(stored, ServiceClock(tickRate: 60), maximumBytes: 1 << 20)
        #expect(past.lastNumber == 6)
    }

    @Test func `past events are restored up to the hub's byte limit, even above its default`() {
        let megabyte = String(repeating: "x", count: 1 << 20)
        let stored = (1...40).map { number in
            StoredEvents(
                epoch: "e", first: number, last: number, time: .max,
                bytes: Array("\(number) 1 0 a \(megabyte.utf8.count)\n\(megabyte)".utf8))
        }
        func oldest(_ maximumBytes: Int) -> Int64 {
            var configuration = HubConfiguration()
            (configuration.historyBytes, configuration.historySeconds) = (maximumBytes, 1e9)
            let past = PastEvents(stored, ServiceClock(tickRate: 60), maximumBytes: maximumBytes)
            return Hub(inboxes: [], configuration: configuration, epoch: "e", past: past).oldestKept
        }
        #expect(oldest(64 << 20) == 1 && oldest(HubConfiguration().historyBytes) > 1)
    }

    @Test func `setting the log's clock keeps the age of restored events`() {
        var recorder = HistoryRecorder(HubConfiguration())
        let (second, hour) = (Int64(1_000_000_000), Int64(3_600_000_000_000))
        recorder.restore([
            KeptEvents(
                epoch: "e", last: 1, instant: Instant(nanoseconds: second), bytes: Array("1 1 0 a 3\nabc".utf8))
        ])
        recorder.record(.clockSet(hour), epoch: "e")
        #expect(recorder.kept.map(\.instant) == [Instant(nanoseconds: second + hour)])
    }
}
