// Who is ended, and when: the table of connections with a clock of the test's own.

import Testing

@testable import HTTPTransport

@Suite struct ConnectionTableTests {
    private static let times = ConnectionTimes(head: 10, idle: 30, measure: 1_000_000_000, lowestRate: 100)
    private static let untouched = ConnectionTable.Measure(acknowledged: 0, waiting: 1)

    /// Descriptors that are ended at an instant.
    private func ended(
        _ table: inout ConnectionTable, at now: Int64, measure: ConnectionTable.Measure = untouched
    ) -> [Int32] {
        var ended: [Int32] = []
        _ = table.endLate(.max, now: now, measure: { _ in measure }, end: { ended.append($0) })
        return ended
    }

    @Test func `connections past their deadline are ended in portions, the oldest first`() {
        var table = ConnectionTable(Self.times)
        for descriptor in Int32(0)..<10 { _ = table.insert(descriptor, now: 0) }
        var ended: [Int32] = []
        func look(_ now: Int64) -> Bool {
            table.endLate(4, now: now, measure: { _ in Self.untouched }, end: { ended.append($0) })
        }
        let first = look(10)
        #expect(first && ended == [0, 1, 2, 3])
        // Places that were free again go behind those who wait.
        for place in 0..<4 {
            table.remove(place)
            _ = table.insert(Int32(20 + place), now: 0)
        }
        let second = look(20)
        #expect(second && ended == [0, 1, 2, 3, 4, 5, 6, 7])
        let last = [look(20), look(20)]
        #expect(last == [true, false] && Set(ended).count == 14)
    }

    @Test func `connections that were ended are counted until their places are released`() {
        var table = ConnectionTable(Self.times)
        let places = (Int32(0)..<4).map { table.insert($0, now: 0) }
        #expect(table.endOldest(2, age: 0, now: 5, end: { _ in }) == 2)
        #expect(table.endingCount == 2)
        // One that was ended may still be at something.
        table.expectHead(places[0], now: 6)
        table.forget(places[0])
        table.forget(places[2])
        #expect(table.endingCount == 3)
        table.lend(places[3])
        table.takeBack(places[3], now: 7)
        for place in places { table.remove(place) }
        table.remove(places[0])
        #expect(table.endingCount == 0)
    }

    @Test func `a first head has the head timeout, a later one the idle timeout`() {
        var table = ConnectionTable(Self.times)
        let place = table.insert(7, now: 100)
        #expect(ended(&table, at: 109).isEmpty)
        table.expectAnswer(place, now: 109)
        #expect(ended(&table, at: .max - 1).isEmpty)
        table.beginSending(place, now: 109)
        table.expectHead(place, now: 110)
        #expect(ended(&table, at: 139).isEmpty)
        #expect(ended(&table, at: 140) == [7])
        #expect(ended(&table, at: 1_000).isEmpty)
    }

    @Test func `answers under way are counted until they are sent, or their connections ended`() {
        var table = ConnectionTable(Self.times)
        let places = (Int32(0)..<3).map { table.insert($0, now: 0) }
        for place in places {
            table.expectAnswer(place, now: 1)
            table.beginSending(place, now: 2)
        }
        #expect(table.sendingCount == 3)
        table.expectHead(places[0], now: 3)
        table.remove(places[1])
        #expect(table.sendingCount == 1)
        #expect(ended(&table, at: 2 + Self.times.measure).contains(2))
        #expect(table.sendingCount == 0)
    }

    @Test func `a body's deadline is the time given for it, not reset by its bytes`() {
        var table = ConnectionTable(Self.times)
        let place = table.insert(7, now: 0)
        table.expectBody(place, now: 5, within: 100)
        #expect(ended(&table, at: 104).isEmpty)
        #expect(ended(&table, at: 105) == [7])
    }

    @Test func `a connection that was ended is not ended again until its place is reused`() {
        var table = ConnectionTable(Self.times)
        let place = table.insert(7, now: 0)
        #expect(ended(&table, at: 10) == [7])
        table.expectAnswer(place, now: 11)
        table.beginSending(place, now: 11)
        table.expectHead(place, now: 11)
        #expect(ended(&table, at: .max - 1).isEmpty)
        var oldest: [Int32] = []
        #expect(table.endOldest(1, age: 0, now: .max - 1) { oldest.append($0) } == 0)
        table.remove(place)
        #expect(table.insert(8, now: 0) == place)
        #expect(ended(&table, at: 10) == [8])
    }

    @Test func `a connection that left the table's care is never shut by a deadline or for room`() {
        var table = ConnectionTable(Self.times)
        let place = table.insert(7, now: 0)
        table.forget(place)
        table.expectHead(place, now: 0)
        #expect(ended(&table, at: .max - 1).isEmpty)
        #expect(table.endOldest(1, age: 0, now: .max - 1) { _ in } == 0)
    }

    @Test func `calls with places that don't exist or are free change nothing in the connection table`() {
        var table = ConnectionTable(Self.times)
        for place in [-1, 0, 5, .max] {
            table.remove(place)
            table.forget(place)
            table.expectHead(place, now: 0)
            table.beginSending(place, now: 0)
        }
        let place = table.insert(7, now: 0)
        table.remove(place)
        table.remove(place)
        #expect(table.insert(8, now: 0) == place)
        #expect(table.insert(9, now: 0) == place + 1)
    }

    @Test func `a client that reads an answer below the lowest rate is cut off`() {
        var table = ConnectionTable(Self.times)
        let place = table.insert(7, now: 0)
        table.expectAnswer(place, now: 0)
        table.beginSending(place, now: 0)
        let second: Int64 = 1_000_000_000
        #expect(ended(&table, at: second, measure: .init(acknowledged: 100, waiting: 1)).isEmpty)
        #expect(ended(&table, at: 2 * second, measure: .init(acknowledged: 200, waiting: 1)).isEmpty)
        // Nothing waits for it, or nobody can tell: it is not the client who is slow.
        #expect(ended(&table, at: 3 * second, measure: .init(acknowledged: 200, waiting: 0)).isEmpty)
        #expect(ended(&table, at: 4 * second, measure: .init(acknowledged: nil, waiting: 1)).isEmpty)
        #expect(ended(&table, at: 5 * second, measure: .init(acknowledged: 299, waiting: 1)) == [7])
    }

    @Test func `a client that reads an answer fast enough is cut off only at the reading timeout`() {
        let second: Int64 = 1_000_000_000
        var times = Self.times
        times.reading = second * 5 / 2
        var table = ConnectionTable(times)
        let place = table.insert(7, now: 0)
        for began in [0, 10 * second] {
            table.expectAnswer(place, now: began)
            table.beginSending(place, now: began)
            for (turn, acknowledged) in [(second, 1_000), (2 * second, 2_000)] as [(Int64, UInt64)] {
                let measure = ConnectionTable.Measure(acknowledged: UInt64(began) + acknowledged, waiting: 1)
                #expect(ended(&table, at: began + turn, measure: measure).isEmpty)
            }
            if began == 0 { table.expectHead(place, now: 9 * second) }
        }
        let measure = ConnectionTable.Measure(acknowledged: .max, waiting: 1)
        #expect(ended(&table, at: 10 * second + times.reading - 1, measure: measure).isEmpty)
        #expect(ended(&table, at: 10 * second + times.reading, measure: measure) == [7])
    }

    @Test func `at the limit, connections that wait longest for a request are ended, served ones kept`() {
        var table = ConnectionTable(Self.times)
        let places = (0..<6).map { table.insert(Int32($0), now: Int64($0)) }
        table.expectAnswer(places[0], now: 6)
        table.expectBody(places[2], now: 6, within: 100)
        table.remove(places[3])
        // This one had an answer meanwhile, and now waits least.
        table.expectAnswer(places[1], now: 6)
        table.expectHead(places[1], now: 7)
        var ended: [Int32] = []
        #expect(table.endOldest(10, age: 3, now: 8) { ended.append($0) } == 2)
        #expect(ended == [4, 5])
        // One whose body is on its way goes last.
        #expect(table.endOldest(10, age: 3, now: 10) { ended.append($0) } == 2)
        #expect(ended == [4, 5, 1, 2])
    }

    @Test func `endOldest ends no more connections than it is asked to`() {
        var table = ConnectionTable(Self.times)
        for descriptor in 0..<10 { _ = table.insert(Int32(descriptor), now: 0) }
        var ended: [Int32] = []
        #expect(table.endOldest(3, age: 1, now: 1) { ended.append($0) } == 3)
        #expect(ended == [0, 1, 2])
    }

    // MARK: - Owners

    @Test func `an owner over its limit loses its own connection that has waited longest`() {
        var table = ConnectionTable(Self.times)
        let places = (Int32(0)..<6).map { table.insert($0, of: $0 < 4 ? "a" : "b", now: Int64($0)) }
        #expect(table.count(of: "a") == 4 && table.count(of: "b") == 2 && table.count(of: "c") == 0)
        // One that is at something is left alone.
        table.expectAnswer(places[0], now: 7)
        var ended: [Int32] = []
        for _ in 0..<4 { _ = table.endOldest(of: "a", now: 7) { ended.append($0) } }
        #expect(ended == [1, 2, 3])
        for place in places { table.remove(place) }
        #expect(table.count(of: "a") == 0 && table.count(of: "b") == 0)
    }

    @Test func `at the connection limit, the owner with the most connections loses the first ones`() {
        var table = ConnectionTable(Self.times)
        for descriptor in Int32(0)..<3 { _ = table.insert(descriptor, of: "few", now: 0) }
        _ = table.insert(40, now: 0)
        for descriptor in Int32(10)..<30 { _ = table.insert(descriptor, of: "many", now: 5) }
        var ended: [Int32] = []
        #expect(table.endOldest(8, age: 2, now: 9) { ended.append($0) } == 8)
        #expect(ended == Array(10..<18))
        // Nobody who came just now; then those who have waited longest.
        ended = []
        #expect(table.endOldest(8, age: 8, now: 9) { ended.append($0) } == 4)
        #expect(ended == [0, 1, 2, 40])
    }

    @Test func `a flood from few addresses does not displace clients with one connection each`() {
        var table = ConnectionTable(Self.times)
        // The oldest, each with an answer behind it: what browsers keep open.
        for honest in Int32(0)..<5 {
            let place = table.insert(honest, of: "honest \(honest)", now: 0)
            table.expectAnswer(place, now: 0)
            table.expectHead(place, now: 0)
        }
        for flood in Int32(0)..<55 { _ = table.insert(100 + flood, of: "flood \(flood % 11)", now: 1) }
        var ended: [Int32] = []
        func makeRoom(_ count: Int) -> Int { table.endOldest(count, age: 1, now: 2) { ended.append($0) } }
        #expect(makeRoom(44) == 44)
        #expect(ended.allSatisfy { $0 >= 100 } && Set(ended.map { ($0 - 100) % 11 }).count == 11)
        #expect((0..<11).allSatisfy { table.count(of: "flood \($0)") == 1 })
        // Of those that have one each, they go first that have never asked for anything.
        #expect(makeRoom(11) == 11 && ended.allSatisfy { $0 >= 100 })
        #expect(makeRoom(9) == 5 && ended.suffix(5) == [0, 1, 2, 3, 4])
    }

    @Test func `each displaced connection is of the owner with the most, unowned ones counted singly`() {
        var table = ConnectionTable(Self.times)
        for (descriptor, owner) in [nil, "a", "a", "b", "b", "b"].enumerated() {
            _ = table.insert(Int32(descriptor), of: owner, now: Int64(descriptor))
        }
        var ended: [Int32] = []
        #expect(table.endOldest(9, age: 0, now: 9) { ended.append($0) } == 6)
        #expect(ended == [3, 1, 4, 0, 2, 5])
    }

    @Test func `a connection whose body has stalled is displaced first, one whose body arrives last`() {
        var table = ConnectionTable(Self.times)
        let second: Int64 = 1_000_000_000
        let places = (Int32(0)..<4).map { table.insert($0, of: "a", now: 0) }
        for place in places[..<3] { table.expectBody(place, now: 1, within: 100 * second) }
        table.recordProgress(places[0], now: 9 * second)
        table.recordProgress(places[1], now: 8 * second)
        var ended: [Int32] = []
        for _ in 0..<4 { _ = table.endOldest(of: "a", now: 9 * second + 1) { ended.append($0) } }
        #expect(ended == [3, 1, 2])
        #expect(table.endOldest(4, age: second, now: 9 * second + 1) { ended.append($0) } == 1)
        #expect(ended == [3, 1, 2, 0])
        // What is no body makes no progress.
        table.recordProgress(places[0], now: 0)
        table.recordProgress(-1, now: 0)
    }

    @Test func `a connection whose stream never began counts for its owner again`() {
        var table = ConnectionTable(Self.times)
        let place = table.insert(1, of: "a", now: 0)
        table.lend(place)
        table.takeBack(place, now: 1)
        #expect(table.count(of: "a") == 1)
        table.remove(place)
        #expect(table.count(of: "a") == 0)
    }

    @Test func `a connection lent to a stream no longer counts for its owner`() {
        var table = ConnectionTable(Self.times)
        let place = table.insert(1, of: "a", now: 0)
        table.lend(place)
        #expect(table.count(of: "a") == 0)
        table.remove(place)
        #expect(table.count(of: "a") == 0)
    }
}
