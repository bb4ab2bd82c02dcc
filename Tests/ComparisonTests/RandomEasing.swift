// Easings of every kind that CSS has, as text, with the awkward parts more frequent than in life.

import TestSupport

/// Writes random easings.
struct RandomEasing {
    private static let keywords = ["linear", "ease", "ease-in", "ease-out", "ease-in-out", "step-start", "step-end"]
    private static let positions = ["", "start", "end", "jump-start", "jump-end", "jump-none", "jump-both"]

    /// One easing, in CSS's syntax.
    static func text(_ random: inout SeededRandom) -> String {
        switch random.int(0...7) {
        case 0: random.pick(keywords)
        case 1...3: cubicBezier(&random)
        case 4...5: steps(&random)
        default: linear(&random)
        }
    }

    /// An easing in which some characters are doubled, missing or others.
    static func damagedText(_ random: inout SeededRandom) -> String {
        var characters = Array(text(&random))
        for _ in 0..<random.int(0...2) where !characters.isEmpty {
            let place = random.int(0...characters.count - 1)
            switch random.int(0...3) {
            case 0: characters.remove(at: place)
            case 1: characters.insert(characters[place], at: place)
            case 2: characters[place] = random.pick(Array("0123456789.,%-+eE() jn"))
            default: characters.insert(random.pick(Array("0123456789.,%-+eE() jn")), at: place)
            }
        }
        return String(characters)
    }

    /// Control points on the edges, where the curve stands upright or starts flat, and outputs far past 0...1.
    private static func cubicBezier(_ random: inout SeededRandom) -> String {
        func x(_ random: inout SeededRandom) -> Double {
            random.chance(0.2) ? random.pick([0, 1]) : random.double(0...1)
        }
        func y(_ random: inout SeededRandom) -> Double {
            random.chance(0.2) ? random.pick([0, 1]) : random.double(-3...4)
        }
        return "cubic-bezier(\(x(&random)), \(y(&random)), \(x(&random)), \(y(&random)))"
    }

    private static func steps(_ random: inout SeededRandom) -> String {
        let position = random.pick(positions)
        let count = random.int((position == "jump-none" ? 2 : 1)...12)
        return "steps(\(count)\(position.isEmpty ? "" : ", " + position))"
    }

    /// Stops with no, one or two inputs, before or behind their output, in order or not, inside 0...100 % or not.
    private static func linear(_ random: inout SeededRandom) -> String {
        let stops = (0..<random.int(2...8)).map { _ in
            let output = "\(random.chance(0.2) ? random.pick([0, 1]) : random.double(-1...2))"
            let inputs = (0..<random.pick([0, 0, 0, 1, 1, 2])).map { _ in
                "\(random.chance(0.3) ? random.pick([0, 50, 100]) : random.double(-10...110))%"
            }
            return (random.chance(0.3) ? inputs + [output] : [output] + inputs).joined(separator: " ")
        }
        return "linear(\(stops.joined(separator: ", ")))"
    }
}
