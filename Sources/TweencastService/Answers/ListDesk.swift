// Lists under way: which names a page holds, and the portions in which it is sent.

import Board
import Gateway
import HTTPTransport
import Wire

/// Makes pages as their clients take them.
final class ListDesk {
    /// The most bytes of lists of one turn, the last portion aside.
    static let bytesPerTurn = 64 << 10

    private let post: @Sendable (Message) -> Void
    /// Lists under way.
    private(set) var count = 0
    /// Portions that clients wait for; one a list at most.
    private var wanted: [WantedPortion] = []

    init(post: @escaping @Sendable (Message) -> Void) { self.post = post }

    /// Whether a client waits for a portion.
    var hasWork: Bool { !wanted.isEmpty }

    /// Whether another list may begin; a client for which there is no room is told so.
    func admits(_ exchange: any Exchange) -> Bool {
        if count < ListBody.maximumCount { return true }
        exchange.send(
            .problem(
                Problem(503, "Service Unavailable", "too many lists at once; try again in a moment", retryAfter: 1)))
        return false
    }

    /// Sends a page when its turn comes: whole where it is short, else as its client takes it.
    func send(_ page: ListPage, to exchange: any Exchange) {
        count += 1
        let list = ListBody(page, post: post)
        let portion = WantedPortion(list: list) { bytes, isLast in
            let body = isLast ? bytes : []
            let head = HTTPResponse.json(200, body)
            if isLast {
                exchange.send(head)
                list.ended()
            } else {
                list.keep(bytes)
                exchange.send(head, bodyFrom: list)
            }
        }
        wanted.append(portion)
    }

    /// A client has taken what there was.
    func add(_ portion: WantedPortion) { wanted.append(portion) }

    /// A list has been sent, or its client left.
    func end() { count -= 1 }

    /// Makes portions that clients wait for, a few a turn: whoever changes something does not wait for lists.
    /// - Parameter append: Appends an item's JSON; false where it has gone.
    func makePortions(_ append: (ListPage.Items, Int, inout [UInt8]) -> Bool) {
        var bytes = 0
        while bytes < Self.bytesPerTurn, !wanted.isEmpty {
            let next = wanted.removeFirst()
            let portion = next.list.take(append)
            bytes += portion.bytes.count
            next.give(portion.bytes, portion.isLast)
        }
    }
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
