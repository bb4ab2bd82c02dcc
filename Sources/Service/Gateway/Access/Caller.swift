// Who asks, and from where: what every request is held to.

import Base
package import Board
package import EventStream
import Webhooks
import Wire

/// Somebody with a request.
package struct Caller: Sendable {
    package var principal: Principal
    /// The client's address without its port; empty where it is not known.
    package var address: String
    /// The name that the answer carries.
    var request = ""
    /// The address with whose limits count there, where that was found out.
    let client: KnownClient?

    package init(_ principal: Principal, at address: String) {
        self.principal = principal
        self.address = address
        client = nil
    }

    init(_ principal: Principal, of client: KnownClient, asking request: String) {
        self.principal = principal
        self.request = request
        address = client.address
        self.client = client
    }

    var rights: Rights { principal.rights }

    /// Whose room a request takes: a token's, or else an address's, of IPv6 a network's.
    var owner: String { principal.isKnown ? principal.account : IPAddress(address)?.holder ?? address }

    /// A key of retries, apart from the same key of anybody else. Where people are known all keys begin with whose they are,
    /// and its length, so that no owner and key read like another's.
    func ownKey(_ key: String) -> String {
        principal == .anybody ? key : "\(owner.utf8.count):\(owner):\(key)"
    }

    /// Why something can't be done: 401 where a token might help, 403 where it was looked at.
    func refusal(_ detail: String, pointer: String? = nil) -> Problem {
        principal.isKnown
            ? Problem(403, "Forbidden", "this token may not \(detail)", pointer: pointer)
            : Problem(401, "Unauthorized", "a token is needed to \(detail)", pointer: pointer)
    }

    // MARK: - What may be done

    /// - Throws: 401 or 403 for whoever is no admin.
    func checkAdmin(_ what: String) throws(Problem) {
        guard rights.isAdmin else { throw refusal(what) }
    }

    /// - Throws: 401 or 403 for whoever may change nothing at all: no body of theirs is read.
    func checkPublishesSomething() throws(Problem) {
        guard !rights.publish.isEmpty else { throw refusal("publish anything") }
    }

    /// Whether figures of the whole server may be told: to an admin, and to whoever may read everything anyway.
    var seesWhole: Bool { rights.isAdmin || rights.subscribe == .everything }

    /// - Throws: 401 or 403 for what may not be looked at.
    func checkRead(_ name: ResourceName) throws(Problem) {
        guard rights.subscribe.matches(TopicName(name)) else { throw refusal("read \(name.kind) \(name.id)") }
    }

    /// - Throws: 401 or 403 for whoever may look at nothing of a kind.
    func checkRead(_ kind: ResourceKind) throws(Problem) {
        guard rights.subscribe.kinds.contains(.resource(kind)) else { throw refusal("read any \(kind)") }
    }

    /// Leaves of a selection what may be listened to.
    /// - Throws: 401 or 403 for a topic by name that may not be, and where nothing is left.
    func narrowed(_ selection: TopicSelection) throws(Problem) -> TopicSelection {
        try narrowed(StreamParts(selection, .json)).selection
    }

    /// Leaves of each part what may be listened to.
    /// - Throws: 401 or 403 for a topic by name that may not be, and where nothing is left of any part.
    func narrowed(_ parts: StreamParts) throws(Problem) -> StreamParts {
        guard !rights.isAdmin, !parts.isEmpty else { return parts }
        let narrowed = try parts.list.map { part throws(Problem) in
            for pattern in part.selection.patterns where !pattern.isPrefix && !rights.subscribe.covers(pattern) {
                throw refusal("listen to \(pattern.kind) \(pattern.text)")
            }
            return StreamPart(part.selection.intersection(rights.subscribe), part.variant)
        }
        let left = StreamParts(narrowed)
        guard !left.isEmpty else { throw refusal("listen to any of these topics") }
        return left
    }

    /// Holds a change, and all that it may set off, to what may be published. What runs later runs by the rights that its
    /// poster had: they are looked at here, and what is stored may be carried out.
    /// - Throws: 401 or 403 that names the action at fault.
    func checkChange(_ command: Command) throws(Problem) {
        guard !rights.isAdmin else { return }
        try check(command, at: nil)
        for action in command.actions { try check(action) }
    }

    private func check(_ placed: PlacedAction) throws(Problem) {
        let pointer = "/\(placed.pointer)"
        switch placed.action {
        case .command(let command): try check(command, at: pointer)
        case .notify(let name, _):
            try checkNotification(name, at: pointer)
        // Which hosts may be called is the operator's list, the same for all.
        case .webhook, .later: break
        }
        for inner in placed.inner { try check(inner) }
    }

    private func check(_ command: Command, at pointer: String?) throws(Problem) {
        if let name = command.target {
            try checkChange(of: name, at: pointer)
            return try checkAnchor(of: command, at: pointer ?? "")
        }
        if case .notify(let name, _) = command { return try checkNotification(name, at: pointer) }
        guard rights.publish.covers(Self.allSchedules) else { throw refusal("change all schedules", pointer: pointer) }
    }

    /// Holds a motion that begins by another one's to what may be read or changed: when it begins tells whether that is there.
    /// - Throws: 401 or 403, the same whether it is.
    private func checkAnchor(of command: Command, at pointer: String) throws(Problem) {
        guard let start = command.start else { return }
        let topic = TopicName(start.name)
        guard rights.subscribe.matches(topic) || rights.publish.matches(topic) else {
            throw refusal("read \(start.name.kind) \(start.name.id)", pointer: "\(pointer)/start/\(start.edge)")
        }
    }

    /// Holds a schedule that is only looked at, and all that it would set off, to what may be published.
    /// - Parameter id: The schedule's own; nil where it has none.
    /// - Throws: 401 or 403 that names the action at fault.
    func checkPreview(of definition: ScheduleDefinition, id: String?) throws(Problem) {
        guard !rights.isAdmin else { return }
        if let id { try checkChange(of: ResourceName(.schedule, id), at: "/id") }
        for action in PlacedAction.all(in: definition.actions, at: "do") { try check(action) }
    }

    /// - Throws: 401 or 403 for what may not be changed.
    func checkChange(of name: ResourceName, at pointer: String? = nil) throws(Problem) {
        guard rights.isAdmin || rights.publish.matches(TopicName(name)) else {
            throw refusal("change \(name.kind) \(name.id)", pointer: pointer)
        }
    }

    /// - Throws: 401 or 403 for a notification that may not be published.
    func checkNotification(_ name: String, at pointer: String? = nil) throws(Problem) {
        guard rights.isAdmin || rights.publish.matches(TopicName(kind: .notification, id: name)) else {
            throw refusal("publish notification \(name)", pointer: pointer)
        }
    }

    private static let allSchedules = TopicSelection.every(.schedule)
}

extension Command {
    /// The resource that it changes; nil for one that changes all schedules, and for one that changes nothing.
    var target: ResourceName? {
        switch self {
        case .update(let name, _), .define(let name, _), .remove(let name), .play(let name, _), .schedule(let name, _),
            .pauseSchedule(let name), .resumeSchedule(let name):
            name
        case .notify, .pauseAllSchedules, .resumeAllSchedules, .removeAllSchedules: nil
        }
    }
}

extension Command {
    /// The motion that its own begins by; nil where it begins by itself.
    fileprivate var start: MotionAnchor? {
        switch self {
        case .update(_, let update), .define(_, let update): update.start
        case .remove, .play, .schedule, .notify, .pauseSchedule, .resumeSchedule, .pauseAllSchedules,
            .resumeAllSchedules, .removeAllSchedules:
            nil
        }
    }
}

extension TopicName {
    /// The topic of a resource.
    package init(_ name: ResourceName) { self.init(kind: .resource(name.kind), id: name.id) }
}
