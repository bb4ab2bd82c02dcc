// A list's body, made one portion at a time as the client takes it. An unread list costs only the names of its page and one
// portion.

import Board
import EventStream
import HTTPTransport
import Synchronization

/// A page of a list, not yet encoded.
struct ListPage: Sendable {
    /// The listed items. An item that no longer exists at its turn is left out.
    enum Items: Sendable {
        /// - Parameters:
        ///   - locale: The reader's locale; nil: as posted.
        ///   - rights: What the reader may see of other resources that the items name.
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
    /// The bytes before the first item.
    var opening: [UInt8]
    /// The bytes after the last item.
    var ending: [UInt8]
}

/// The body of a page that doesn't fit into one portion.
final class ListBody: BodySource {
    /// The most list bodies being sent at a time.
    static let maximumCount = 256

    private struct Cursor {
        var next = 0
        var hasItems = false
    }

    private let page: ListPage
    /// The owner whose quota the list counts against.
    private let owner: String?
    private let post: @Sendable (Message) -> Void
    private let cursor = Mutex(Cursor())

    init(_ page: ListPage, of owner: String?, post: @escaping @Sendable (Message) -> Void) {
        self.page = page
        self.owner = owner
        self.post = post
    }

    /// Makes the next portion.
    /// - Parameter append: Appends an item's JSON; returns false if the item no longer exists.
    func read(_ append: (ListPage.Items, Int, inout [UInt8]) -> Bool) -> (bytes: [UInt8], isLast: Bool) {
        cursor.withLock { cursor in
            var bytes = cursor.next == 0 ? page.opening : []
            while cursor.next < page.items.count, bytes.count < StreamedBody.portion {
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

    func wantsMore(_ body: any PortionReceiver) {
        post(.wantsPortion(RequestedChunk(list: self) { body.append($0, isLast: $1) }))
    }

    func ended() { post(.listEnded(of: owner)) }
}

/// A portion that a client waits for.
struct RequestedChunk: Sendable {
    let list: ListBody
    /// Receives the portion, and whether it is the last.
    let give: @Sendable ([UInt8], Bool) -> Void
}
