// The sender of a request, with the checks that apply to every request.

import Base
package import Board
package import EventStream
import Labels
import OperatingSystem
import Wire

/// A principal with a request.
package struct Caller: Sendable {
    package var principal: Principal
    /// The client's address without its port; empty if it is unknown.
    package var address: String
    /// The request id that the answer carries.
    var request = ""
    /// The address with the owner of its limits, if that is known.
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

    /// The owner whose limits the request uses: a token's account, or else an address (for IPv6, its network).
    var owner: String { principal.isKnown ? principal.account : IPAddress(address)?.holder ?? address }

    /// Returns a retry key that is separate from other owners' keys. With tokens, keys begin with the owner and its length,
    /// so that no combination of owner and key equals another.
    func ownKey(_ key: String) -> String {
        principal == .anybody ? key : "\(owner.utf8.count):\(owner):\(key)"
    }

    /// Returns the error for a missing right: 401 if a token might help, 403 if there was one.
    func refusal(_ detail: String, pointer: String? = nil) -> Problem {
        principal.isKnown
            ? Problem(403, "Forbidden", "this token may not \(detail)", pointer: pointer)
            : Problem(401, "Unauthorized", "a token is needed to \(detail)", pointer: pointer)
    }

    /// How an error names the caller.
    private var designation: String { principal.isKnown ? "this token" : "a request without a token" }

    // MARK: - Rights

    /// Whether totals of the whole server are shown: to admins, and to those who may read everything anyway.
    var seesWhole: Bool { rights.isAdmin || rights.subscribe == .everything }

    /// - Throws: 401 or 403 for a resource that may not be read.
    func checkRead(_ name: ResourceName) throws(Problem) {
        guard rights.subscribe.matches(TopicName(name)) else { throw refusal("read \(name.kind) \(name.id)") }
    }

    /// - Throws: 401 or 403 if no resource of a kind may be read.
    func checkRead(_ kind: ResourceKind) throws(Problem) {
        guard rights.subscribe.kinds.contains(.resource(kind)) else { throw refusal("read any \(kind)") }
    }

    /// Reduces a selection to what the caller may subscribe to.
    /// - Throws: 401 or 403 for a named topic without the right, or if nothing is left.
    func narrowed(_ selection: TopicSelection) throws(Problem) -> TopicSelection {
        try narrowed(StreamParts(selection, .json)).selection
    }

    /// Reduces each part to what the caller may subscribe to.
    /// - Throws: 401 or 403 for a named topic without the right, or if nothing is left of any part.
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

    /// Checks that the caller may publish a change and everything that it may start. Later actions run with the rights that
    /// their sender had: they are checked here, and whatever is stored may run.
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
        // The operator's list of webhook hosts is the same for all callers.
        case .webhook, .later: break
        }
        for inner in placed.inner { try check(inner) }
    }

    private func check(_ command: Command, at pointer: String?) throws(Problem) {
        if let name = command.target {
            if mayAdd(command) {
                // A delayed motion holds the number where it is until then.
                if command.isStaggered { try checkChange(of: name, at: Stagger.pointer) }
                return
            }
            try checkChange(of: name, at: pointer)
            return try checkAnchor(of: command, at: pointer ?? "")
        }
        if case .notify(let name, _) = command { return try checkNotification(name, at: pointer) }
        guard rights.publish.covers(Self.allSchedules) else { throw refusal("change all schedules", pointer: pointer) }
    }

    /// Whether a command only adds, where and as much as the caller may add.
    private func mayAdd(_ command: Command) -> Bool {
        guard !rights.add.isEmpty, case .update(let name, let update) = command, case .by(let amount) = update.goal,
            let most = rights.mostAdded(to: TopicName(name))
        else { return false }
        // Further decimals would change how the number is written.
        return amount > .zero && amount <= most && amount.scale <= most.scale && update.isOfGoalAlone
    }

    /// Whether the most that the caller may do with a resource is to add to it.
    func mayOnlyAdd(to name: ResourceName) -> Bool {
        guard !rights.add.isEmpty else { return false }
        let topic = TopicName(name)
        return !rights.publish.matches(topic) && !rights.subscribe.matches(topic)
    }

    /// Returns how much of a resource the answer to the caller's own change shows.
    func extent(of name: ResourceName) -> AnswerExtent {
        if mayOnlyAdd(to: name) { return .sum }
        guard name.kind == .schedule, let readable = rights.readable else { return .whole }
        return .naming(readable)
    }

    /// - Parameter name: What a change's condition is about; nil if it is no resource.
    /// - Throws: 403 if the answer would reveal the revision of a number that the caller may not read.
    func checkCondition(on name: ResourceName?) throws(Problem) {
        guard let name, mayOnlyAdd(to: name) else { return }
        throw Problem(
            403, "Forbidden",
            "\(designation) may add to \(name.kind) \(name.id), but not read its revision; leave If-Match and If-None-Match out"
        )
    }

    /// Checks the right to read or change the motion that another one starts by, because its start reveals whether that exists.
    /// - Throws: 401 or 403, the same whether it exists or not.
    private func checkAnchor(of command: Command, at pointer: String) throws(Problem) {
        guard let start = command.start else { return }
        let topic = TopicName(start.name)
        guard rights.subscribe.matches(topic) || rights.publish.matches(topic) else {
            throw refusal("read \(start.name.kind) \(start.name.id)", pointer: "\(pointer)/start/\(start.edge)")
        }
    }

    /// Checks that the caller may publish everything that a previewed schedule would start.
    /// - Parameter id: The schedule's id; nil if it has none.
    /// - Throws: 401 or 403 that names the action at fault.
    func checkPreview(of definition: ScheduleDefinition, id: String?) throws(Problem) {
        guard !rights.isAdmin else { return }
        if let id { try checkChange(of: ResourceName(.schedule, id), at: "/id") }
        for action in PlacedAction.all(in: definition.actions, at: "do") { try check(action) }
    }

    /// - Throws: 401 or 403 for a resource that may not be changed.
    func checkChange(of name: ResourceName, at pointer: String? = nil) throws(Problem) {
        let topic = TopicName(name)
        guard !rights.isAdmin, !rights.publish.matches(topic) else { return }
        guard let most = rights.mostAdded(to: topic) else {
            throw refusal("change \(name.kind) \(name.id)", pointer: pointer)
        }
        throw Problem(
            403, "Forbidden",
            "\(designation) may only add to \(name.kind) \(name.id): `by` alone, more than 0, at most \(most), and with no more decimals",
            pointer: pointer)
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
    /// The resource that it changes; nil if it changes all schedules or none.
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
    /// Whether its place in a batch delays it.
    fileprivate var isStaggered: Bool { if case .update(_, let update) = self { update.lead > 0 } else { false } }

    /// The motion that the command's own starts by, if any.
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
    /// Creates the topic of a resource.
    package init(_ name: ResourceName) { self.init(kind: .resource(name.kind), id: name.id) }
}
