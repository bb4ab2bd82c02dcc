// Random requests: mostly of usual sizes, now and then at the ends of what is accepted.

import Base
import Board
import TestSupport

@testable import Wire

/// Makes lines of a batch, and operations that are no lines.
struct RandomLine {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Seconds until the next.
    mutating func pause() -> Double { random.pick([0, 0, 0.001, 0.3, 0.7, 1.7, 30]) }

    /// A line; it may be one that is refused.
    mutating func line(of name: ResourceName) -> String {
        if random.chance(0.35) { return operation(on: name) }
        var fields: [String] = []
        let goal = name.kind == .progress ? "current" : "to"
        let decays = random.chance(0.05)
        if decays {
            fields.append(
                #""decay":{"velocity":\#(random.pick(["-50", "1e9", "0"])),"timeConstant":2,"max":"1000.50"}"#)
        } else if random.chance(0.7) {
            fields.append("\"\(goal)\":\(number())")
        } else {
            fields.append("\"by\":\(random.pick(["1", "-2.5", "\"0.10\"", "1e-7", "0"]))")
        }
        append("from", 0.1, number(), to: &fields)
        append("label", 0.3, label(name.kind), to: &fields)
        append("decimals", 0.15, "\(random.int(0...20))", to: &fields)
        append("format", 0.2, #"{"locale":"de","minimumDecimals":\#(random.int(0...4))}"#, to: &fields)
        append(
            "duration", decays ? 0 : 0.7, random.pick(["0", "1e-300", "0.5", "3", "\"auto\"", "100", "31536000"]),
            to: &fields)
        append("delay", 0.2, random.pick(["0", "0.5", "1e-9"]), to: &fields)
        append("easing", decays ? 0 : 0.3, easing(), to: &fields)
        append("spring", decays ? 0 : 0.15, spring(), to: &fields)
        append("repeat", decays ? 0 : 0.15, random.pick(["1", "2.5", "\"forever\"", "1000000000"]), to: &fields)
        append(
            "repeatDelay", decays ? 0 : 0.1, random.pick(["0.25", "0", "5e-324", "31536000"]), to: &fields)
        append("autoreverse", decays ? 0 : 0.2, "\(random.chance(0.5))", to: &fields)
        append("rate", 0.15, random.pick(["0", "0.5", "-2", "1000", "1e-300"]), to: &fields)
        append("clamp", 0.1, random.pick(["true", #""clamp""#, #""never-decrease""#]), to: &fields)
        append(
            "interrupt", 0.5, #""\#(random.pick(["queue", "queue", "replace", "retarget", "reject"]))""#, to: &fields)
        append("milestones", 0.2, #"[1,2.5,"50.00",1e10]"#, to: &fields)
        append("sequence", 0.1, "\(random.int(0...20))", to: &fields)
        append("ttl", 0.1, random.pick(["0", "60", "31536000"]), to: &fields)
        append("then", 0.3, actions(), to: &fields)
        append("else", 0.3, actions(), to: &fields)
        append("start", 0.1, #"{"with":"ticker:w","offset":0.25}"#, to: &fields)
        if name.kind == .progress {
            append("indeterminate", 0.1, #""{value} so far""#, to: &fields)
            append("maximum", 0.3, random.pick(["null", "7.5", "\"100.00\"", "1e-20", "1e37"]), to: &fields)
            append("appearance", 0.2, #"{"shape":"pie","own":\#(nested(29))}"#, to: &fields)
        }
        return "{\"\(name.kind)\":\"\(name.id)\",\(fields.joined(separator: ","))}"
    }

    /// What a line asks for. One in ten fixes what updates to come have, which is no line of a batch.
    mutating func command(_ line: String, of name: ResourceName) throws(Problem) -> Command {
        guard random.chance(0.1) else { return try BatchDecoder.command(Array(line.utf8)[...]) }
        let filler = String(repeating: " ", count: random.pick([0, 600]))
        let body = #"{"label":\#(label(name.kind)),"duration":2,"repeat":1\#(filler)}"#
        return .define(name, try UpdateDecoder.update(Array(body.utf8), kind: name.kind, role: .definition))
    }

    private mutating func append(_ name: String, _ chance: Double, _ value: String, to fields: inout [String]) {
        if random.chance(chance) { fields.append("\"\(name)\":\(value)") }
    }

    private mutating func operation(on name: ResourceName) -> String {
        let words = random.pick([
            #""op":"pause""#, #""op":"resume""#, #""op":"cancel""#, #""op":"cancel""#, #""op":"finish""#,
            #""op":"delete""#,
            #""op":"seek","fraction":0.37"#, #""op":"seek","seconds":1.5"#, #""op":"rate","rate":2"#,
            #""op":"rate","rate":0"#,
        ])
        return "{\"\(name.kind)\":\"\(name.id)\",\(words)}"
    }

    private mutating func number() -> String {
        random.pick([
            "0", "1", "-7", "100", "12.5", "\"12.50\"", "1e-7", "1e20", "\"99999999999999999999999999999999999999\"",
            "-1e37", "0.00000000000000000001", "\"\(random.int(-1_000_000...1_000_000)).125\"",
        ])
    }

    private mutating func label(_ kind: ResourceKind) -> String {
        guard kind == .ticker else {
            return random.pick([
                #""{percent}%""#, #""{current} to {target} of {maximum}""#, #""{value} at {rate}, {eta} to go""#,
                #""x""#,
            ])
        }
        return random.pick([
            #""0 coins""#, #""$1,234.50 a month""#, #""no number""#, #""{n, plural, one {# coin} other {# coins}}""#,
            #""\u0001 0.0000000000000000000001""#, "\"\(String(repeating: "long ", count: 200))7.125\"", #""""#,
        ])
    }

    private mutating func easing() -> String {
        random.pick([
            #""linear""#, #""ease-in-out""#, #""cubic-bezier(0.1, -2.5e10, 0.9, 1e-20)""#, #""steps(4, jump-none)""#,
            #""linear(0, 0.3333333333333333 12.3456789%, 1e-20 70%, 1)""#, #""steps(1000000)""#, #""elastic""#,
            #""bounce-in""#,
        ])
    }

    private mutating func spring() -> String {
        random.pick([
            #"{"dampingRatio":0.5}"#, #"{"duration":0.5,"bounce":0.3,"initialVelocity":2}"#,
            #"{"mass":1e-9,"stiffness":1e12,"damping":1e3}"#, #"{"dampingRatio":0.8,"response":0}"#,
            #"{"dampingRatio":1000,"response":1e-300,"initialVelocity":-1000000}"#, #""snappy""#,
        ])
    }

    private mutating func actions() -> String {
        random.pick([
            #"[{"ticker":"x","by":1,"duration":0}]"#, #"[{"notify":"n","data":\#(nested(29))}]"#,
            #"[{"progress":"y","current":5,"then":[{"notify":"m"}]},{"notify":"n"}]"#,
            #"[{"op":"cancel","ticker":"x"},{"notify":"n","delay":0.5}]"#, #"[{"ticker":"x","label":"then 0"}]"#,
            #"[{"schedule":{"id":"s","in":0.1,"do":[{"progress":"y","by":1}]}}]"#,
            #"[{"notify":"n","data":"\#(String(repeating: "long ", count: 300))"}]"#,
        ])
    }

    private mutating func nested(_ most: Int) -> String {
        let levels = random.int(0...most)
        return levels == 0 ? "0" : String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
}
