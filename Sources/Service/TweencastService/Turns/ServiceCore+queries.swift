// Queries of the board. They see its present state, including changes that are not committed yet.

import Base
import Board
import EventStream
import Gateway
import HTTPTransport
import Labels
import Machine
import Publishing
import Tween
import Wire

extension ServiceCore {
    func answer(_ query: Query, to responder: any Responder, at now: Instant) {
        switch query {
        case .resource(let name, let preview, let locale, let condition, let rights, let time):
            guard let state = withMachine({ $0.state(of: name, preview: preview, at: now) }) else {
                return responder.send(.problem(Problem(CommandError.notFound(name))))
            }
            if let failure = condition?.failure(at: state.revision) {
                return responder.send(Application.response(for: failure, at: state.revision))
            }
            guard !waits(query, for: [name], in: locale, responder) else { return }
            let shown = self.shown(state, in: locale).narrowed(to: rights)
            guard let time, let track = shown.track else {
                return responder.send { .answer(.resource(shown, status: 200, isNew: false)) }
            }
            Self.send(to: responder) { () throws(Problem) in
                .json(200, try MomentEncoder.body(of: track, as: shown.rendering, at: time, now: now))
            }
        case .history(let name, let points):
            guard let track = withMachine({ $0.engine.track(name) }) else {
                return responder.send(.problem(Problem(CommandError.notFound(name))))
            }
            responder.send { .json(200, HistoryEncoder.body(of: track, points: points)) }
        case .picture(let name, let form, let options, let locale, let known, let isPrivate, let cost):
            guard let track = shownTrack(name, query, in: locale, responder, at: now) else { return }
            let picture = pictures.picture(of: track, form, options, in: locale, at: now)
            Self.send(to: responder) { () throws(Problem) in
                .picture(try picture.content(counting: cost), unless: known, isPrivate: isPrivate)
            }
        case .frames(let name, let selection, let form, let locale, let cost):
            guard let track = shownTrack(name, query, in: locale, responder, at: now) else { return }
            Self.send(to: responder) { () throws(Problem) in
                try FrameListBody.response(with: try FrameList(of: track, selection, at: now), as: form, counting: cost)
            }
        case .preview(let definition, let count): responder.send { Self.preview(of: definition, count: count, at: now) }
        case .tracks(_, _, _, _, _, let owner), .schedules(_, _, _, _, let owner), .failedWebhooks(_, _, let owner):
            lists.add(RequestedList(source: .query(query), responder: responder, owner: owner))
        case .readiness(let withWarnings): responder.send(readiness(withWarnings: withWarnings))
        case .metrics(let format): responder.send(Self.writing(metrics(), parts, persistence.addFiles(), as: format))
        case .limits(let own, let owner, let seesUse):
            let debt = owner.map { owner in withMachine { $0.engine.actionDebt(of: owner, at: now) } }
            responder.send(.json(200, limitTable(own: own, debt, seesUse: seesUse)))
        case .stream(let request): open(request, on: responder, at: now)
        case .changeStream(let change): responder.send(self.change(change, at: now))
        case .clients(let limit, let owner): lookAtClients(limit: limit, for: responder, of: owner)
        }
    }

    /// Sends an answer, or why there is none. It is made on the sending thread.
    private static func send(
        to responder: any Responder, _ answer: @escaping @Sendable () throws(Problem) -> HTTPResponse
    ) {
        responder.send {
            do throws(Problem) {
                return try answer()
            } catch {
                return .problem(error)
            }
        }
    }

    /// Returns a function that adds the other metrics and writes the page. It runs on the sending thread, as some need
    /// system calls.
    private static func writing(
        _ known: MetricsPage, _ parts: Parts, _ addFiles: @escaping @Sendable (inout MetricsPage) -> Void,
        as format: MetricsFormat
    ) -> @Sendable () -> HTTPResponse {
        let (measures, gather) = (parts.measures, parts.gather)
        return {
            var page = known
            measures.add(to: &page)
            gather(&page)
            addFiles(&page)
            return .text(page.text(format), format.contentType)
        }
    }

    /// Returns a preview of a schedule that is never created, so its name is not shown. It runs off the tick thread, as some
    /// rules take a search through centuries.
    private static func preview(of definition: ScheduleDefinition, count: Int, at now: Instant) -> HTTPResponse {
        do throws(CommandError) {
            let schedule = try Schedule(name: ResourceName(.schedule, "preview"), definition: definition, at: now)
            return .json(200, ScheduleEncoder.preview(of: schedule, count: count, at: now))
        } catch {
            return .problem(Problem(error))
        }
    }

    private func readiness(withWarnings: Bool) -> HTTPResponse {
        let reason: String? =
            publisher.isDraining ? "draining" : persistence.unreadiness
        var json = JSONWriter()
        json.object {
            $0.member("ready", reason == nil)
            if let reason { $0.member("reason", reason) }
            guard withWarnings, !persistence.warnings.isEmpty else { return }
            $0.list("warnings") { json in for warning in persistence.warnings { json.string(warning.utf8) } }
        }
        return .json(reason == nil ? 200 : 503, json.bytes)
    }

    /// Answers a request for a stream.
    private func open(_ request: StreamRequest, on responder: any Responder, at now: Instant) {
        if request.endsWithTopic, let name = request.resource, withMachine({ $0.engine.slot(of: name) }) == nil {
            switch publisher.parting(from: name, after: request.lastEventID) {
            // The client left before the resource was removed: the stream replays what it missed and then ends.
            case .missed: break
            // The client has seen the removal: 204 makes a browser's EventSource stop for good.
            case .known: return responder.send(.answer(.noContent))
            case .unknown: return responder.send(.problem(Problem(CommandError.notFound(name))))
            }
        }
        // On any status but 200, a browser's EventSource stops for good, so a full or draining server refuses in the stream.
        let hasLocale = publisher.admits(request)
        guard !publisher.isDraining, hasLocale, let stream = parts.acceptor.reserve() else {
            let reason: StreamRefusal = publisher.isDraining ? .draining : hasLocale ? .full : .locales
            return refuse(request, because: reason, on: responder, at: now)
        }
        // Subscribe before the socket opens: it finds the greeting ready, and head and greeting are sent in one piece.
        publisher.open(OpenedStream(request, isGreeted: true), stream, of: &machine, at: now)
        recordGreeting(of: request)
        responder.stream(
            headers: EventStreamHead.headers, to: parts.acceptor,
            context: StreamReservation(stream, of: parts.acceptor))
    }

    /// Refuses a stream, for now.
    func refuse(_ request: StreamRequest, because reason: StreamRefusal, on responder: any Responder, at now: Instant) {
        parts.measures.refusedStreams.add(to: reason)
        Log.write(reason, request.origin)
        let retry = publisher.retryDelayOfRefused(hasNoRoom: reason != .behind, at: now)
        responder.send(.bye(reason.rawValue, retry: retry))
    }

    /// Changes an open stream's subscription.
    private func change(_ change: StreamChange, at now: Instant) -> HTTPResponse {
        do throws(Problem) {
            guard let stream = publisher.stream(named: change.name) else { throw StreamChange.unknown }
            let request = try change.request(
                for: publisher.permit(of: stream), payload: publisher.payload(of: stream))
            switch publisher.change(stream, to: request, of: &machine, at: now) {
            case .changed: return .answer(.noContent)
            case .noRoom(let limit):
                throw Problem(
                    503, "Service Unavailable", "no room for the stream's \(limit); try again later", retryAfter: 5)
            }
        } catch {
            return .problem(error)
        }
    }

    // MARK: - Lists

    /// Makes a list's page when its turn comes.
    /// - Returns: The page; nil if the client was already answered, or will be once formats are compiled.
    func page(of list: RequestedList) -> ListPage? {
        switch list.source {
        case .clients(let number): clients(number)
        case .query(.tracks): tracks(of: list)
        case .query(.schedules): schedules(of: list)
        case .query(.failedWebhooks(let limit, let after, _)): failedWebhooks(limit: limit, after: after)
        // The other queries are answered at once.
        case .query: nil
        }
    }

    /// Returns a page of tracks, by id.
    private func tracks(of list: RequestedList) -> ListPage? {
        guard case .query(let query) = list.source,
            case .tracks(let kind, let limit, let after, let locale, let rights, _) = query
        else { return nil }
        // One more than the page holds, to find out whether there is a next page.
        let names = names(of: kind, within: rights, after: after, limit: limit + 1)
        let next = names.count > limit ? names[limit - 1].id : nil
        let page = Array(names.prefix(limit))
        guard !waits(query, for: page, in: locale, list.responder) else { return nil }
        return ListPage(.resources(page, locale: locale, within: rights), next: next)
    }

    /// Returns the first names of a kind within the rights, by id.
    private func names(
        of kind: ResourceKind, within rights: TopicSelection, after: String?, limit: Int
    ) -> [ResourceName] {
        withMachine { machine in
            var names: [ResourceName] = []
            // The patterns are in the order of their ids, and none covers another.
            for pattern in rights.patterns where pattern.kind == .resource(kind) && names.count < limit {
                if pattern.isPrefix {
                    names += machine.engine.names(
                        of: kind, beginningWith: pattern.text, after: after, limit: limit - names.count)
                } else if after.map({ $0 < pattern.text }) ?? true {
                    let name = ResourceName(kind, pattern.text)
                    if machine.engine.slot(of: name) != nil { names.append(name) }
                }
            }
            return names
        }
    }

    // MARK: - Clients' locales

    /// Repeats a query once the formats that it needs are compiled in its locale.
    /// - Returns: false if there is nothing to wait for.
    private func waits(
        _ query: Query, for names: [ResourceName], in locale: String?, _ responder: any Responder
    ) -> Bool {
        guard let locale else { return false }
        let missing = names.flatMap { name -> [NumberFormat] in
            let formats =
                name.kind == .schedule
                ? [NumberFormat(locale: locale)]
                : withMachine { $0.engine.track(name) }?.rendering.formats(in: locale) ?? []
            return parts.readers.knows(formats) ? [] : formats
        }
        guard !missing.isEmpty else { return false }
        let isTaken = parts.readers.prepare(missing) { [post = parts.post] in post(.asked(.query(query, responder))) }
        if !isTaken { responder.send(.problem(Application.busy)) }
        return true
    }

    /// Returns a ticker or a progress as shown in a locale.
    /// - Returns: nil if the client was already answered, or will be once formats are compiled.
    private func shownTrack(
        _ name: ResourceName, _ query: Query, in locale: String?, _ responder: any Responder, at now: Instant
    ) -> Track? {
        guard let state = withMachine({ $0.state(of: name, at: now) }) else {
            responder.send(.problem(Problem(CommandError.notFound(name))))
            return nil
        }
        return waits(query, for: [name], in: locale, responder) ? nil : shown(state, in: locale).shownTrack
    }

    /// Returns a resource as shown in a locale; as posted if its format has changed since it was compiled.
    private func shown(_ state: ResourceState, in locale: String?) -> ResourceState {
        guard let locale else { return state }
        var shown = state
        switch state.content {
        case .track(let track): shown.rendering = publisher.readers.rendering(track.rendering, in: locale)
        case .schedule(let schedule, let isHeld, let preview):
            let localised = publisher.readers.schedule(schedule, in: locale) ?? schedule
            shown.content = .schedule(localised, isHeld: isHeld, preview: preview)
        }
        return shown
    }

    /// Returns a page of schedules: by due date, or by id for a client that may not see all of them. For that client, a
    /// position among all would reveal others' schedules, and finding its own would take time in proportion to them.
    private func schedules(of list: RequestedList) -> ListPage? {
        guard case .query(let query) = list.source,
            case .schedules(let limit, let mark, let locale, let rights, _) = query
        else { return nil }
        let seesAll = rights.covers(.every(.schedule))
        guard
            let names = seesAll ? schedules(after: mark, limit: limit + 1) : schedules(within: rights, mark, limit + 1)
        else {
            list.responder.send(.problem(.field("?after", "unknown cursor; pass the previous page's `next`")))
            return nil
        }
        let page = Array(names.prefix(limit))
        let last = names.count > limit ? page.last : nil
        let (next, isPaused, count) = withMachine { machine in
            let place = last.flatMap { machine.engine.schedule($0) }.map { SchedulePlace($0).description }
            return (seesAll ? place : last?.id, machine.engine.schedulesPaused, machine.engine.pendingSchedules)
        }
        guard !waits(query, for: page, in: locale, list.responder) else { return nil }
        return ListPage(.resources(page, locale: locale, within: rights), next: next) {
            ScheduleEncoder.appendHead(isPaused: isPaused, count: seesAll ? count : nil, to: &$0)
        }
    }

    /// Returns the first schedules by due date.
    /// - Returns: nil if the cursor's schedule does not exist.
    private func schedules(after mark: ScheduleMark?, limit: Int) -> [ResourceName]? {
        let place: SchedulePlace?
        switch mark {
        case nil: place = nil
        case .place(let known): place = known
        case .schedule(let name):
            guard let schedule = withMachine({ $0.engine.schedule(name) }) else { return nil }
            place = SchedulePlace(schedule)
        }
        return withMachine { $0.engine.schedules(after: place, limit: limit).map(\.name) }
    }

    /// Returns the first schedules within the rights, by id.
    /// - Returns: nil for a cursor that is a position among all schedules.
    private func schedules(within rights: TopicSelection, _ mark: ScheduleMark?, _ limit: Int) -> [ResourceName]? {
        switch mark {
        case nil: names(of: .schedule, within: rights, after: nil, limit: limit)
        case .place: nil
        case .schedule(let name): names(of: .schedule, within: rights, after: name.id, limit: limit)
        }
    }

    /// Returns a page of the webhooks that were given up.
    private func failedWebhooks(limit: Int, after: String?) -> ListPage {
        let ids = machine.outbox.dead(after: after, limit: limit + 1).map(\.id)
        let pending = machine.outbox.pendingCount
        return ListPage(.deliveries(Array(ids.prefix(limit))), next: ids.count > limit ? ids[limit - 1] : nil) {
            $0.member("pending", pending)
        }
    }

    /// Appends an item of a list in its present state.
    /// - Returns: false if it no longer exists.
    func appendItem(of items: ListPage.Items, _ index: Int, at now: Instant, to bytes: inout [UInt8]) -> Bool {
        var json = JSONWriter()
        switch items {
        case .resources(let names, let locale, let rights):
            guard let item = withMachine({ $0.state(of: names[index], at: now) }) else { return false }
            bytes.append(contentsOf: shown(item, in: locale).narrowed(to: rights).body())
            return true
        case .clients(let reports):
            let key = reports[index].socket.stream
            reports[index].append(
                publisher.subscription(of: key), permit: publisher.permit(of: key),
                age: publisher.age(ofStreamOpened: reports[index].socket.opened, at: now), to: &json)
        case .deliveries(let ids):
            guard let delivery = machine.outbox.delivery(ids[index]), delivery.isDead else { return false }
            DeliveryRecord.show(delivery, to: &json)
        }
        bytes.append(contentsOf: json.bytes)
        return true
    }

    // MARK: - Clients

    /// Requests reports from all stream threads; the last one completes the answer.
    private func lookAtClients(limit: Int, for responder: any Responder, of owner: String?) {
        guard !inspections.isFull else {
            responder.send(
                .problem(
                    Problem(
                        429, "Too Many Requests", "another inspection is running; try again in a moment", retryAfter: 1)
                ))
            return
        }
        let number = inspections.nextNumber()
        let missing = parts.acceptor.inspect(number: number)
        inspections.begin(
            number,
            ClientInspections.Inspection(responder: responder, limit: limit, owner: owner, missing: missing))
    }

    /// Adds a stream thread's reports.
    func receive(_ reports: [ClientReport], number: UInt64) {
        guard let inspection = inspections.receive(reports, number: number) else { return }
        lists.add(
            RequestedList(
                source: .clients(number: number), responder: inspection.responder, owner: inspection.owner))
    }

    private func clients(_ number: UInt64) -> ListPage? {
        guard let inspection = inspections.finish(number) else { return nil }
        // Clients with the most dropped frames come first, as operators look for them.
        let clients = inspection.reports.sorted {
            ($0.statistics.leftOut, $0.socket.unsentBytes) > ($1.statistics.leftOut, $1.socket.unsentBytes)
        }
        return ListPage(.clients(Array(clients.prefix(inspection.limit))), next: nil) {
            $0.member("count", clients.count)
            persistence.append(to: &$0)
        }
    }
}

extension StreamRequest {
    /// The resource of a stream for a single one.
    fileprivate var resource: ResourceName? {
        guard let pattern = selection.patterns.first, !pattern.isPrefix, let kind = pattern.kind.resource else {
            return nil
        }
        return ResourceName(kind, pattern.text)
    }
}
