// Lists: which names a page holds, and the portions in which it is sent.

import Board
import HTTPTransport
import Tween
import Wire

extension Conductor {
    /// A page of tracks by id.
    func sendTracks(_ kind: ResourceKind, limit: Int, after: String?, to exchange: any Exchange, at now: Instant) {
        guard admitsList(exchange) else { return }
        // One more than the page holds, to know whether another follows.
        let names = engine.names(of: kind, beginningWith: "", after: after, limit: limit + 1)
        let next = names.count > limit ? names[limit - 1].id : nil
        send(Self.page(.resources(Array(names.prefix(limit))), next: next) { _ in }, to: exchange, at: now)
    }

    /// A page of schedules by their due dates.
    func sendSchedules(limit: Int, after mark: ScheduleMark?, to exchange: any Exchange, at now: Instant) {
        guard admitsList(exchange) else { return }
        var place: SchedulePlace?
        switch mark {
        case nil: break
        case .place(let known): place = known
        case .schedule(let name):
            guard let schedule = engine.schedule(name) else {
                exchange.send(.problem(.field("?after", "unknown cursor; pass the previous page's `next`")))
                return
            }
            place = SchedulePlace(schedule)
        }
        let schedules = engine.schedules(after: place, limit: limit + 1)
        let next = schedules.count > limit ? SchedulePlace(schedules[limit - 1]).description : nil
        let page = Self.page(.resources(schedules.prefix(limit).map(\.name)), next: next) {
            appendScheduleHead(to: &$0)
        }
        send(page, to: exchange, at: now)
    }

    /// A page of what was given up.
    func sendFailedWebhooks(limit: Int, after: String?, to exchange: any Exchange, at now: Instant) {
        guard admitsList(exchange) else { return }
        let ids = outbox.dead(after: after, limit: limit + 1).map(\.id)
        let page = Self.page(.deliveries(Array(ids.prefix(limit))), next: ids.count > limit ? ids[limit - 1] : nil) {
            $0.member("pending", outbox.pendingCount)
        }
        send(page, to: exchange, at: now)
    }

    /// Who listens.
    func sendClients(_ reports: [ClientReport], count: Int, to exchange: any Exchange, at now: Instant) {
        guard admitsList(exchange) else { return }
        let page = Self.page(.clients(reports), next: nil) { $0.member("count", count) }
        send(page, to: exchange, at: now)
    }

    /// Refuses a list where too many are under way, before anything is looked up for it.
    private func admitsList(_ exchange: any Exchange) -> Bool {
        if listCount < ListBody.maximumCount { return true }
        exchange.send(
            .problem(
                Problem(503, "Service Unavailable", "too many lists at once; try again in a moment", retryAfter: 1)))
        return false
    }

    /// `{…head…, "items": […], "next": …}` around items that are made later.
    private static func page(
        _ items: ListPage.Items, next: String?, head: (inout JSONWriter) -> Void
    ) -> ListPage {
        var opening = JSONWriter()
        opening.object {
            head(&$0)
            $0.list("items") { _ in }
        }
        var ending = JSONWriter()
        ending.object { if let next { $0.member("next", next) } }
        let rest = ending.bytes.dropFirst()
        return ListPage(
            items: items, opening: opening.bytes.dropLast(2),
            ending: Array("]".utf8) + (next == nil ? [] : Array(",".utf8)) + rest)
    }

    // MARK: - Portions

    /// Sends a page when its turn comes: whole where it is short, else as its client takes it.
    private func send(_ page: ListPage, to exchange: any Exchange, at now: Instant) {
        listCount += 1
        let list = ListBody(page, post: parts.post)
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
        wantedPortions.append(portion)
    }

    /// Makes portions that clients wait for, a few a turn: whoever changes something does not wait for lists.
    func continueLists(at now: Instant) {
        var bytes = 0
        while bytes < Self.listBytesPerTurn, !wantedPortions.isEmpty {
            let wanted = wantedPortions.removeFirst()
            let portion = portion(of: wanted.list, at: now)
            bytes += portion.bytes.count
            wanted.give(portion.bytes, portion.isLast)
        }
    }

    /// Makes a list's next portion, of what its items are now.
    private func portion(of list: ListBody, at now: Instant) -> (bytes: [UInt8], isLast: Bool) {
        list.take { items, index, bytes in
            var json = JSONWriter()
            switch items {
            case .resources(let names):
                guard let item = resource(names[index], at: now) else { return false }
                bytes.append(contentsOf: item.body)
                return true
            case .clients(let reports): append(reports[index], at: now, to: &json)
            case .deliveries(let ids):
                guard let delivery = outbox.delivery(ids[index]), delivery.isDead else { return false }
                DeliveryRecord.append(delivery, to: &json)
            }
            bytes.append(contentsOf: json.bytes)
            return true
        }
    }
}
