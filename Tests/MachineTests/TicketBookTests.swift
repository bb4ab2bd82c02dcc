// Tickets: good once, for half a minute, and room for everybody's.

import Base
import Testing
import Tween

@testable import Machine

/// A book to be changed amid an expectation.
private final class Book {
    var book = TicketBook()

    func insert(_ ticket: Ticket, at now: Instant) -> Bool { book.insert(ticket, at: now) }
    func spend(_ key: String, at now: Instant) -> [UInt8]? { book.spend(key, at: now) }
    func shift(byNanoseconds nanoseconds: Int64) { book.shift(byNanoseconds: nanoseconds) }
    var count: Int { book.count }
}

@Suite struct TicketBookTests {
    private static let begin = Instant(nanoseconds: 1_767_225_600_000_000_000)

    private static func ticket(_ key: String, of owner: String = "a", bytes: Int = 8) -> Ticket {
        Ticket(key: key, owner: owner, grant: [UInt8](repeating: 7, count: bytes))
    }

    @Test func `a ticket is valid once`() {
        let book = Book()
        #expect(book.insert(Self.ticket("k"), at: Self.begin))
        #expect(!book.insert(Self.ticket("k"), at: Self.begin), "a key that is taken")
        #expect(book.spend("k", at: Self.begin) == [UInt8](repeating: 7, count: 8))
        #expect(book.spend("k", at: Self.begin) == nil && book.spend("other", at: Self.begin) == nil)
        #expect(book.count == 0)
    }

    @Test(arguments: [(29.999, true), (30, false), (1e6, false)])
    func `a ticket is valid for 30 seconds`(seconds: Double, isGood: Bool) {
        let book = Book()
        _ = book.insert(Self.ticket("k"), at: Self.begin)
        #expect((book.spend("k", at: Self.begin.advanced(bySeconds: seconds)) != nil) == isGood)
    }

    @Test func `setting the clock does not extend a ticket's life`() {
        let book = Book()
        _ = book.insert(Self.ticket("k"), at: Self.begin)
        book.shift(byNanoseconds: -3_600_000_000_000)
        let now = Self.begin.advanced(bySeconds: -3_600)
        #expect(book.spend("k", at: now.advanced(bySeconds: 31)) == nil)
    }

    @Test func `one owner gets at most half of the free tickets, and spent or expired ones are free`() {
        let book = Book()
        func fill(_ owner: String, _ round: Int, at now: Instant) -> Int {
            var count = 0
            while book.insert(Self.ticket("\(owner) \(round) \(count)", of: owner), at: now) { count += 1 }
            return count
        }
        #expect(fill("a", 0, at: Self.begin) == TicketBook.maximumCount / 2)
        #expect(fill("b", 0, at: Self.begin) == TicketBook.maximumCount / 4)
        _ = book.spend("a 0 0", at: Self.begin)
        #expect(fill("b", 1, at: Self.begin) == 1)
        let later = Self.begin.advanced(bySeconds: 31)
        #expect(fill("c", 0, at: later) == TicketBook.maximumCount / 2 && book.count == TicketBook.maximumCount / 2)
    }

    @Test func `spent tickets behind an unspent one use no memory`() {
        let book = Book()
        _ = book.insert(Self.ticket("waits"), at: Self.begin)
        for number in 0..<10_000 {
            _ = book.insert(Self.ticket("\(number)"), at: Self.begin)
            _ = book.spend("\(number)", at: Self.begin)
        }
        #expect(book.count == 1 && book.book.order.count <= 100, "\(book.book.order.count)")
        #expect(book.spend("waits", at: Self.begin.advanced(bySeconds: 29)) != nil)
    }

    @Test func `tickets are limited in bytes per owner`() {
        let book = Book()
        let large = TicketBook.maximumBytes / 4
        #expect(book.insert(Self.ticket("1", bytes: large), at: Self.begin))
        #expect(book.insert(Self.ticket("2", bytes: large), at: Self.begin))
        #expect(!book.insert(Self.ticket("3", bytes: large), at: Self.begin))
        #expect(book.insert(Self.ticket("4", of: "b", bytes: large), at: Self.begin))
    }

    @Test func `a snapshot keeps unspent tickets and their expiry`() throws {
        let book = Book()
        for number in 0..<5 {
            _ = book.insert(
                Self.ticket("\(number)", of: "o\(number)"), at: Self.begin.advanced(bySeconds: Double(number)))
        }
        _ = book.spend("2", at: Self.begin)
        var writer = ByteWriter()
        book.book.write(to: &writer)
        var reader = ByteReader(writer.bytes)
        let read = Book()
        read.book = try TicketBook(from: &reader)
        #expect(reader.isAtEnd && read.count == 4)
        var again = ByteWriter()
        read.book.write(to: &again)
        #expect(again.bytes == writer.bytes)
        let now = Self.begin.advanced(bySeconds: 31)
        #expect(read.spend("0", at: now) == nil && read.spend("2", at: now) == nil && read.spend("4", at: now) != nil)
    }
}
