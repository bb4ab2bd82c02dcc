// Pages of lists, and the portions in which they are sent.

import Base
import Board
import Gateway
import HTTPTransport
import Machine
import Wire

/// A requested list. Its page is made only at its turn, so that a waiting list holds no names.
struct RequestedList {
    /// The source of the page.
    enum Source {
        case query(Query)
        /// A completed inspection of the clients.
        case clients(number: UInt64)
    }

    var source: Source
    var responder: any Responder
    /// The owner whose quota a long list counts against; nil if only the total limits it.
    var owner: String?
}

/// Makes pages as their clients take them.
final class ListPager {
    /// The most bytes of lists made in one turn; the last portion may exceed it.
    static let bytesPerTurn = 64 << 10
    /// The least that a portion counts as, because finding a page's items is work, too. It caps the portions of a turn at
    /// `commandsPerTurn`.
    private static let leastBytes = bytesPerTurn / Machine.commandsPerTurn

    private enum Work {
        case list(RequestedList)
        case portion(RequestedChunk)
    }

    private let post: @Sendable (Message) -> Void
    /// Quotas of lists that are partly sent.
    private var share = FairShare(places: ListBody.maximumCount)
    /// What clients wait for. A connection waits for one thing at a time, so connections bound its length.
    private var wanted: [Work] = []

    init(post: @escaping @Sendable (Message) -> Void) { self.post = post }

    /// The number of lists being sent.
    var count: Int { share.usedPlaces }
    /// Whether a client waits for a list or a portion.
    var hasWork: Bool { !wanted.isEmpty }

    /// Queues a list. A short one is sent whole, a longer one as its client takes it.
    func add(_ list: RequestedList) { wanted.append(.list(list)) }

    /// Queues the next portion: the client has taken the previous one.
    func add(_ portion: RequestedChunk) { wanted.append(.portion(portion)) }

    /// Frees the quota of a list that was sent or whose client left.
    func end(of owner: String?) { share.free(of: owner) }

    /// Makes a few of the awaited portions a turn, so that changes don't wait for lists.
    /// - Parameters:
    ///   - makePage: Finds what a list holds; returns nil if the client was answered otherwise.
    ///   - append: Appends an item's JSON; returns false if the item no longer exists.
    func makePortions(
        _ makePage: (RequestedList) -> ListPage?, _ append: (ListPage.Items, Int, inout [UInt8]) -> Bool
    ) {
        var (bytes, done) = (0, 0)
        while bytes < Self.bytesPerTurn, done < wanted.count {
            let size: Int
            switch wanted[done] {
            case .list(let list): size = makePage(list).map { begin(list, $0, append) } ?? 0
            case .portion(let next):
                let portion = next.list.read(append)
                next.give(portion.bytes, portion.isLast)
                size = portion.bytes.count
            }
            bytes += max(size, Self.leastBytes)
            done += 1
        }
        wanted.removeFirst(done)
    }

    /// Sends a list's first portion, and claims a place in the owner's quota if there is more.
    /// - Returns: The number of bytes made.
    private func begin(
        _ wanted: RequestedList, _ page: ListPage, _ append: (ListPage.Items, Int, inout [UInt8]) -> Bool
    ) -> Int {
        let list = ListBody(page, of: wanted.owner, post: post)
        let portion = list.read(append)
        if portion.isLast {
            wanted.responder.send(.json(200, portion.bytes))
        } else if share.admits(of: wanted.owner) {
            share.reserve(of: wanted.owner)
            wanted.responder.send(.json(200, portion.bytes, rest: list))
        } else {
            wanted.responder.send(.problem(Self.busy))
        }
        return portion.bytes.count
    }

    private static let busy = Problem(
        503, "Service Unavailable", "too many lists at once; try again in a moment, or with a smaller `limit`",
        retryAfter: 1)
}

extension ListPage {
    /// Creates `{…head…, "items": […], "next": …}` around items that are made later.
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
