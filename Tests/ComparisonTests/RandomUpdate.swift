// Updates that move a number in every way that the API has, as JSON.

import TestSupport

/// Writes random updates.
struct RandomUpdate {
    private static let easings =
        ["linear", "ease", "easeIn", "easeOut", "easeInOut", "power-in(4)", "power-out(0.5)", "power-in-out(1.7)"]
        + ["back", "elastic", "bounce"].flatMap { kind in ["in", "out", "in-out"].map { "\(kind)-\($0)" } }

    /// - Parameter isProgress: Whether it moves a progress, maybe its maximum too, and not a ticker.
    static func text(_ random: inout SeededRandom, isProgress: Bool, isFirst: Bool) -> String {
        var members: [String] = []
        if isFirst { members.append("\"from\":\(number(&random, isProgress))") }
        if isProgress, isFirst || random.chance(0.3) { members.append("\"maximum\":\(random.int(1...1_000))") }
        if !isProgress, random.chance(0.2) {
            let waypoints =
                (0..<random.int(1...3)).map { _ in "\(number(&random, false))" } + ["\(number(&random, false))"]
            members.append("\"to\":[\(waypoints.joined(separator: ","))]")
            members.append("\"duration\":\(random.double(0.05...4))")
            members.append("\"easing\":\"\(easing(&random))\"")
        } else {
            members.append("\"\(isProgress ? "current" : "to")\":\(number(&random, isProgress))")
            members.append(random.chance(0.5) ? spring(&random) : timing(&random))
        }
        return "{\((members + cycles(&random)).joined(separator: ","))}"
    }

    private static func number(_ random: inout SeededRandom, _ isProgress: Bool) -> Double {
        if isProgress { return random.chance(0.3) ? random.pick([0, 100]) : random.double(0...1_000) }
        return random.chance(0.3) ? random.pick([0, 1, 100, -30]) : random.double(-1...1) * random.pick([1, 1e3, 1e9])
    }

    private static func timing(_ random: inout SeededRandom) -> String {
        "\"duration\":\(random.double(0.05...4)),\"easing\":\"\(easing(&random))\""
    }

    private static func easing(_ random: inout SeededRandom) -> String {
        random.chance(0.5) ? random.pick(easings) : RandomEasing.text(&random)
    }

    private static func spring(_ random: inout SeededRandom) -> String {
        let velocity = random.chance(0.3) ? ",\"initialVelocity\":\(random.double(-8...8))" : ""
        let ratio = random.chance(0.2) ? 1 : random.double(0.1...3)
        let (shape, duration) =
            switch random.int(0...3) {
            case 0: ("\"dampingRatio\":\(ratio),\"response\":\(random.double(0.05...1))", "")
            case 1: ("\"dampingRatio\":\(ratio)", "\"duration\":\(random.double(0.1...4)),")
            case 2: ("\"duration\":\(random.double(0.05...1)),\"bounce\":\(random.double(-0.8...0.8))", "")
            default:
                ("\"stiffness\":\(random.double(20...900)),\"damping\":\(random.double(2...60)),\"mass\":2", "")
            }
        return "\(duration)\"spring\":{\(shape)\(velocity)}"
    }

    private static func cycles(_ random: inout SeededRandom) -> [String] {
        var members: [String] = []
        if random.chance(0.2) { members.append("\"delay\":\(random.double(0...1))") }
        if random.chance(0.2) { members.append("\"endDelay\":\(random.double(0...1))") }
        if random.chance(0.3) {
            members.append("\"repeat\":\(random.pick([0.25, 0.5, 1, 2.25, random.double(0...3)]))")
            if random.chance(0.4) { members.append("\"repeatDelay\":\(random.double(0...0.5))") }
        }
        if random.chance(0.15) { members.append("\"autoreverse\":true") }
        if random.chance(0.2) {
            members.append("\"direction\":\"\(random.pick(["reverse", "alternate", "alternate-reverse"]))\"")
        }
        if random.chance(0.2) { members.append("\"rate\":\(random.pick([-1, 0.7, -0.5, 2]))") }
        if random.chance(0.25) { members.append("\"clamp\":\(random.pick(["true", "\"never-decrease\""]))") }
        return members
    }
}
