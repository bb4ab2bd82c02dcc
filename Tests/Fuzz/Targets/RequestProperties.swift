// What clients write: updates, lines of batches, schedules. Each is refused with a field's name, or is taken and stays.

import Base
import Board
import Gateway
import Labels
import TestSupport
import Webhooks
import Wire

extension FuzzTarget {
    /// The body of an update or of a definition.
    static let updates = FuzzTarget("updates", upTo: 2_048) { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let kind = input.choice([ResourceKind.ticker, .progress])
        let role = input.choice([UpdateDecoder.Role.update, .definition])
        let planner = input.choice(RequestProperties.planners)
        try RequestProperties.check(input.bytes, kind, role, planner)
    }

    /// A batch: each line is a request.
    static let batches = FuzzTarget("batches", upTo: 4_096) { bytes throws(Violation) in
        let lines = BatchDecoder.lines(bytes, upTo: 64)
        let total = lines.reduce(0) { $0 + $1.count }
        try require(total <= bytes.count, "lines are longer than what they are of")
        var commands: [Command] = []
        for line in lines {
            if let command = try RequestProperties.command(line) { commands.append(command) }
        }
        if !commands.isEmpty { try BoardProperties.check(commands) }
    }

    /// A schedule with its actions.
    static let schedules = FuzzTarget("schedules", upTo: 2_048) { bytes throws(Violation) in
        let decoded: (id: String?, definition: ScheduleDefinition)
        do throws(Problem) {
            decoded = try ScheduleDecoder.definition(bytes, rules: CalendarProperties.rules)
        } catch {
            return try ProblemProperties.check(error)
        }
        try BoardProperties.check([.schedule(ResourceName(.schedule, decoded.id ?? "s"), decoded.definition)])
    }
}

enum RequestProperties {
    /// Most inputs go without locale data, which are slow.
    static let planners: [any Planner] = [NoFormats(), NoFormats(), NoFormats(), LocalePlanner()]

    private static let decoder: RequestDecoder = {
        let hosts = ["hooks.example.com", "*.example.org:8443", "192.0.2.1"]
        let policy = (try? WebhookPolicy(hosts: hosts, networks: ["10.0.0.0/8"])) ?? .closed
        return RequestDecoder(rules: CalendarProperties.rules, bounds: StreamBounds()) { policy.refusal(of: $0) }
    }()

    static func check(
        _ body: [UInt8], _ kind: ResourceKind, _ role: UpdateDecoder.Role, _ planner: any Planner
    ) throws(Violation) {
        let update: TrackUpdate
        do throws(Problem) {
            update = try UpdateDecoder.update(body, kind: kind, role: role, rules: CalendarProperties.rules)
        } catch {
            return try ProblemProperties.check(error)
        }
        let text = String(decoding: body, as: UTF8.self)
        try require(text.contains(String(decoding: update.source, as: UTF8.self)), "what is kept is not what was sent")
        do throws(Problem) {
            let again = try UpdateDecoder.update(
                ofSource: update.source, kind: kind, role: role, rules: CalendarProperties.rules)
            guard again == update else { throw Problem.field("", "another one") }
        } catch {
            throw Violation("what was taken is not read as the same: \(error)")
        }
        let name = ResourceName(kind, "x")
        try BoardProperties.check([role == .update ? .update(name, update) : .define(name, update)], planner: planner)
    }

    /// A line's command; nil where it is refused.
    static func command(_ line: ArraySlice<UInt8>) throws(Violation) -> Command? {
        do throws(Problem) {
            return try decoder.command(ofLine: line, at: 0, stagger: 0, Caller(.anybody, at: ""))
        } catch {
            try ProblemProperties.check(error)
            return nil
        }
    }
}
