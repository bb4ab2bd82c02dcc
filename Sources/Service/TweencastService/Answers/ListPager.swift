// Lists under way: which names a page holds, and the portions in which it is sent.

import Base
import Board
import Gateway
import HTTPTransport
import Machine
import Wire

/// A list that was asked for, of which nothing is made yet: one that waits costs no names.
struct RequestedList {
    /// What its page is made from.
    enum Source {
        case query(Query)
        /// A look at the clients that is whole.
        case clients(ticket: UInt64)
    }

    var source: Source
    var responder: any Responder
    /// Whose room it takes where it is long; nil for one that is bounded by the total alone.
    var owner: String?
}

/// Makes pages as their clients take them.
final class ListPager {
    /// The most bytes of lists of one turn, the last portion aside.
    static let bytesPerTurn = 64 << 10
    /// What a portion counts as at least: finding what a page holds is work, too, and no turn begins more than it takes
    /// messages.
    private static let leastBytes = bytesPerTurn / Machine.commandsPerTurn

    private enum Work {
        case list(RequestedList)
        case portion(RequestedChunk)
    }

    private let post: @Sendable (Message) -> Void
    /// Room of lists of which a portion was sent and more is to come.
    private var share = FairShare(places: ListBody.maximumCount)
    /// What clients wait for: one thing a connection, so there is never more than there are of those.
    private var wanted: [Work] = []

    init(post: @escaping @Sendable (Message) -> Void) { self.post = post }

    /// Lists under way.
    var count: Int { share.usedPlaces }
    /// Whether a client waits for a list or a portion.
    var hasWork: Bool { !wanted.isEmpty }

    /// Sends a list when its turn comes: whole where it is short, else as its client takes it.
    func add(_ list: RequestedList) { wanted.append(.list(list)) }

    /// A client has taken what there was.
    func add(_ portion: RequestedChunk) { wanted.append(.portion(portion)) }

    /// A list has been sent, or its client left.
    func end(of owner: String?) { share.free(of: owner) }

    /// Makes what clients wait for, a few portions a turn: whoever changes something does not wait for lists.
    /// - Parameters:
    ///   - makePage: Finds what a list holds; nil where its client was answered otherwise.
    ///   - append: Appends an item's JSON; false where it has gone.
    func makePortions(
        _ makePage: (RequestedList) -> ListPage?, _ append: (ListPage.Items, Int, inout [UInt8]) -> Bool
    ) {
        var (bytes, done) = (0, 0)
        while bytes < Self.bytesPerTurn, done < wanted.count {
            let size: Int
            switch wanted[done] {
            case .list(let list): size = makePage(list).map { begin(list, $0, append) } ?? 0
            case .portion(let next):
                let portion = next.list.take(append)
                next.give(portion.bytes, portion.isLast)
                size = portion.bytes.count
            }
            bytes += max(size, Self.leastBytes)
            done += 1
        }
        wanted.removeFirst(done)
    }

    /// Sends a list's first portion, and asks for room where that is not all.
    /// - Returns: The bytes that were made.
    private func begin(
        _ wanted: RequestedList, _ page: ListPage, _ append: (ListPage.Items, Int, inout [UInt8]) -> Bool
    ) -> Int {
        let list = ListBody(page, of: wanted.owner, post: post)
        let portion = list.take(append)
        if portion.isLast {
            wanted.responder.send(.json(200, portion.bytes))
        } else if share.admits(of: wanted.owner) {
            share.take(of: wanted.owner)
            list.keep(portion.bytes)
            wanted.responder.send(.json(200, []), bodyFrom: list)
        } else {
            wanted.responder.send(.problem(Self.crowded))
        }
        return portion.bytes.count
    }

    private static let crowded = Problem(
        503, "Service Unavailable", "too many lists at once; try again in a moment, or with a smaller `limit`",
        retryAfter: 1)
}

extension ListPage {
    /// `{…head…, "items": […], "next": …}` around items that are made later.
    init(_ items: Items, next: String?, head: (inout JSONWriter) -> Void = { _ in }) {
        var opening = JSONWriter()
        opening.object {
            head(&$0)
            $0.list("items") { _ in }
        }
        var ending = JSONWriter()
        ending.object { if let next { $0.member("next", next) } }
        let rest = ending.bytes.dropFirst()
        self.init(
            items: items, opening: Array(opening.bytes.dropLast(2)),
            ending: Array("]".utf8) + (next == nil ? [] : Array(",".utf8)) + rest)
    }
}
