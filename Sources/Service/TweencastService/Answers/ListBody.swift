// A list on its way to its client: made in portions, each when the client has taken the one before, so that a list which
// nobody reads costs the names of its page and one portion.

import Board
import EventStream
import HTTPTransport
import Synchronization

/// A page of a list, not yet encoded.
struct ListPage: Sendable {
    /// What is listed; whatever has gone when its turn comes is left out.
    enum Items: Sendable {
        /// - Parameters:
        ///   - locale: That of who looks; nil: as they were posted.
        ///   - rights: What may be read, of what else they name.
        case resources([ResourceName], locale: String?, within: TopicSelection)
        case clients([ClientReport])
        /// Webhooks that were given up.
        case deliveries([String])

        var count: Int {
            switch self {
            case .resources(let names, _, _): names.count
            case .clients(let reports): reports.count
            case .deliveries(let ids): ids.count
            }
        }
    }

    var items: Items
    /// Up to the first item.
    var opening: [UInt8]
    /// From behind the last item.
    var ending: [UInt8]
}

/// The body of a page that doesn't fit into one portion.
final class ListBody: BodySource {
    /// Bytes from which on a portion is long enough.
    static let portion = 16 * 1_024
    /// The most of them under way.
    static let maximumCount = 256

    private struct Cursor {
        /// What was made already and not asked for yet.
        var ready: [UInt8]?
        var next = 0
        var hasItems = false
    }

    private let page: ListPage
    /// Whose room it takes.
    private let owner: String?
    private let post: @Sendable (Message) -> Void
    private let cursor = Mutex(Cursor())

    init(_ page: ListPage, of owner: String?, post: @escaping @Sendable (Message) -> Void) {
        self.page = page
        self.owner = owner
        self.post = post
    }

    /// The next portion.
    /// - Parameter append: Appends an item's JSON; false where it has gone.
    func take(_ append: (ListPage.Items, Int, inout [UInt8]) -> Bool) -> (bytes: [UInt8], isLast: Bool) {
        cursor.withLock { cursor in
            var bytes = cursor.next == 0 ? page.opening : []
            while cursor.next < page.items.count, bytes.count < Self.portion {
                let end = bytes.count
                if cursor.hasItems { bytes.append(UInt8(ascii: ",")) }
                if append(page.items, cursor.next, &bytes) {
                    cursor.hasItems = true
                } else {
                    bytes.removeSubrange(end...)
                }
                cursor.next += 1
            }
            let isLast = cursor.next == page.items.count
            if isLast { bytes += page.ending }
            return (bytes, isLast)
        }
    }

    /// A portion that was made before it was asked for.
    func takeReady() -> [UInt8]? { cursor.withLock { $0.ready.take() } }

    /// Keeps a portion that was made before it was asked for.
    func keep(_ portion: [UInt8]) { cursor.withLock { $0.ready = portion } }

    func wantsMore(_ body: StreamedBody) {
        if let ready = takeReady() {
            body.append(ready, isLast: false)
        } else {
            post(.wantsPortion(RequestedChunk(list: self) { body.append($0, isLast: $1) }))
        }
    }

    func ended() { post(.listEnded(of: owner)) }
}

/// A portion that somebody waits for.
struct RequestedChunk: Sendable {
    let list: ListBody
    /// Takes it, and whether it is the last.
    let give: @Sendable ([UInt8], Bool) -> Void
}
