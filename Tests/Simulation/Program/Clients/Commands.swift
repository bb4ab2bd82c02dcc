// What a writer may ask for, drawn by weights. Each seed has weights of its own, so that rare kinds meet.

import Base
import Wire

/// A change or a read.
struct WriterCommand {
    var method = "POST"
    var target: String
    var body = ""
    var headers: [(name: String, value: String)] = []
    /// Whether it may be sent under a key.
    var takesKey = true
}

/// Draws the commands of one writer. What it changes is its own, but for what all add to.
struct CommandTable {
    enum Kind: CaseIterable {
        case update, addition, batch, verb, removal, schedule, scheduleVerb, pauseOfAll, notification, read, list,
            picture, moment, frames, definition

        /// How often it is drawn among others.
        var weight: Double {
            switch self {
            case .update: 30
            case .addition: 15
            case .batch: 10
            case .verb: 10
            case .removal, .scheduleVerb, .picture: 3
            case .schedule, .notification, .definition: 6
            case .pauseOfAll: 1
            case .read, .list: 4
            case .moment, .frames: 2
            }
        }
    }

    private static let durations = ["0", "0", "0.05", "0.3", "0.8", "3"]
    private static let easings = ["linear", "ease-in-out", "ease-out", "bounce-out"]

    /// Numbers of a writer with long definitions, and the bytes of these. Two thirds of them are longer than a portion.
    private static let longNumbers = 6
    private static let longText = 4_000

    private let world: World
    private let writer: Int
    private let weights: [(kind: Kind, weight: Double)]

    /// - Parameters:
    ///   - writer: Its number, which is in the ids of what it owns.
    ///   - hasLongLists: Whether there are numbers that make lists longer than a portion.
    init(_ world: World, writer: Int, hasLongLists: Bool) {
        self.world = world
        self.writer = writer
        weights = Kind.allCases.map { kind in
            // Without numbers and schedules the others have nothing to do.
            let factors = kind == .update || kind == .schedule ? [0.5, 1, 1, 3] : [0, 0.3, 1, 1, 3]
            let weight = kind == .definition && !hasLongLists ? 0 : kind.weight
            return (kind, weight * world.pick(factors))
        }
    }

    /// The paths of the numbers that only this writer changes.
    static func tracks(of writer: Int) -> [String] {
        ["/v1/tickers/w\(writer)-a", "/v1/tickers/w\(writer)-b", "/v1/progress/w\(writer)-p"]
    }

    /// - Parameters:
    ///   - number: The request's, which no other has.
    ///   - tags: By path, the revision that the writer heard of last.
    func draw(_ number: Int, tags: [String: String]) -> WriterCommand {
        switch kind() {
        case .update: return update(number, tags)
        case .addition:
            return WriterCommand(target: "/v1/tickers/sum", body: #"{"by":1,"duration":\#(pick(Self.durations))}"#)
        case .batch: return batch(number)
        case .verb: return verb()
        case .removal: return WriterCommand(method: "DELETE", target: pick(Self.tracks(of: writer)))
        case .schedule: return schedule()
        case .scheduleVerb: return scheduleVerb()
        case .pauseOfAll: return WriterCommand(target: "/v1/schedules/\(pick(["pause", "resume"]))")
        case .notification:
            return WriterCommand(target: "/v1/notifications/note-\(writer)", body: #"{"n":\#(number)}"#)
        case .read: return read("")
        case .list: return list()
        case .picture: return read(pick(["/image.svg", "/image.svg?style=badge"]))
        case .moment: return read("?at=\(pick(["0", "0.25"]))")
        case .frames: return read(pick(["/frames?fps=20", "/frames?fps=100", "/frames?to=0.25"]))
        case .definition: return definition()
        }
    }

    /// - Parameter rest: What stands behind a number's path.
    private func read(_ rest: String) -> WriterCommand {
        WriterCommand(method: "GET", target: pick(Self.tracks(of: writer)) + rest, takesKey: false)
    }

    /// A whole list, or a page in the middle of one.
    private func list() -> WriterCommand {
        let target =
            world.happens(0.5)
            ? "/v1/\(pick(["tickers", "progress", "schedules"]))?limit=50"
            : "/v1/\(pick(["tickers", "progress"]))?limit=\(pick([1, 2, 3]))&after=\(pick(["else-0", "sum", "w0-a"]))"
        return WriterCommand(method: "GET", target: target, takesKey: false)
    }

    private func pick<Element>(_ elements: [Element]) -> Element { world.pick(elements) }

    private func kind() -> Kind {
        let total = weights.reduce(0) { $0 + $1.weight }
        var rest = world.chance.fraction() * total
        for (kind, weight) in weights {
            rest -= weight
            if rest < 0 { return kind }
        }
        return .update
    }

    // MARK: - Numbers

    private func update(_ number: Int, _ tags: [String: String]) -> WriterCommand {
        let path = pick(Self.tracks(of: writer))
        let isTicker = path.contains("tickers")
        // No two requests have one target, so none finds its own motion under way.
        let target = world.happens(0.5) ? "\(number)" : "-\(number).5"
        var members = [#""\#(isTicker ? "to" : "current")":\#(target)"#]
        members.append(#""duration":\#(pick(Self.durations))"#)
        if world.happens(0.5) { members.append(#""interrupt":"\#(pick(["retarget", "replace", "queue"]))""#) }
        if world.happens(0.3) { members.append(#""easing":"\#(pick(Self.easings))""#) }
        if world.happens(0.2) { members.append(#""delay":0.2"#) }
        if world.happens(0.3) { members.append(milestones()) }
        if world.happens(0.3) {
            members.append(#""label":"\#(isTicker ? pick(["Lift 0", "0 €", "كم 0"]) : "{current} of 9")""#)
        }
        if world.happens(0.6) { members.append(actions(number)) }
        var command = WriterCommand(target: path, body: "{" + members.joined(separator: ",") + "}")
        if world.happens(0.05) {
            command.headers.append(("If-Match", "\"999999\""))
        } else if let tag = tags[path], world.happens(0.25) {
            command.headers.append(("If-Match", tag))
        }
        return command
    }

    private func milestones() -> String {
        let values = (0..<3).map { _ in Double(world.index(below: 600)) - 300.25 }
        return #""milestones":["# + values.sorted().map { "\($0)" }.joined(separator: ",") + "]"
    }

    /// Exactly one of both lists runs for each motion.
    private func actions(_ number: Int) -> String {
        let lists = ["then", "else"].map { list in
            var actions = [
                #"{"notify":"\#(list)-\#(writer)","data":{"n":\#(number)}}"#,
                #"{"ticker":"\#(list)-\#(writer)","by":1,"duration":0}"#,
                #"{"ticker":"\#(list)-\#(writer)","by":1,"duration":0}"#,
            ]
            if world.happens(0.2) {
                actions.append(#"{"webhook":"http://hooks.test/\#(list)","data":{"n":\#(number)}}"#)
            }
            return #""\#(list)":[\#(actions.joined(separator: ","))]"#
        }
        return lists.joined(separator: ",")
    }

    private func verb() -> WriterCommand {
        let verb = pick(["pause", "resume", "resume", "cancel", "finish", "seek", "rate"])
        let body = ["seek": #"{"fraction":0.5}"#, "rate": #"{"rate":3}"#][verb] ?? ""
        return WriterCommand(target: "\(pick(Self.tracks(of: writer)))/\(verb)", body: body)
    }

    /// Many additions, whose completions are merged, and an update among them.
    private func batch(_ number: Int) -> WriterCommand {
        let duration = pick(["0", "0.05"])
        let stagger = world.happens(0.2) ? pick(["?stagger=0.02", "?stagger=31536000"]) : ""
        // With a stagger of a year all but the first line would begin too late, and the last number would never rest.
        let delay = stagger.isEmpty ? "" : #","delay":0.1"#
        var lines = (0...world.index(below: 40)).map { _ in
            #"{"ticker":"sum","by":1,"duration":\#(duration)\#(delay)}"#
        }
        if world.happens(0.5) {
            lines.append(#"{"ticker":"w\#(writer)-a","to":\#(number),"duration":0.1\#(delay),\#(actions(number))}"#)
        }
        if !stagger.isEmpty { lines.append(#"{"ticker":"late-\#(writer)","by":1,"duration":0\#(delay)}"#) }
        return WriterCommand(target: "/v1/batch\(stagger)", body: lines.joined(separator: "\n"))
    }

    /// Defines or removes one of the numbers that make lists long.
    private func definition() -> WriterCommand {
        let path = "/v1/tickers/w\(writer)-long-\(world.index(below: Self.longNumbers))"
        guard world.happens(0.7) else { return WriterCommand(method: "DELETE", target: path) }
        // It is in the lists, and in no frame.
        let data = #"{"text":"\#(String(repeating: "x", count: Self.longText))"}"#
        return WriterCommand(
            method: "PUT", target: path,
            body: #"{"label":"0 of 9","then":[{"notify":"note-\#(writer)","data":\#(data)}]}"#)
    }

    // MARK: - Schedules

    private func schedule() -> WriterCommand {
        let when = pick([#""every":0.2"#, #""every":0.05"#, #""in":0.5"#, #""in":4"#])
        let actions = #"[{"ticker":"fired-\#(writer)","by":1,"duration":0},{"notify":"fired-\#(writer)"}]"#
        return WriterCommand(
            method: "PUT", target: "/v1/schedules/w\(writer)-s", body: #"{\#(when),"do":\#(actions)}"#)
    }

    private func scheduleVerb() -> WriterCommand {
        let path = "/v1/schedules/w\(writer)-s"
        guard world.happens(0.7) else { return WriterCommand(method: "DELETE", target: path) }
        return WriterCommand(target: "\(path)/\(pick(["pause", "resume"]))")
    }
}
