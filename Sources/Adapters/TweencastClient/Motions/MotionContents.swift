// The `motion` of a `motion` event, as openapi.yaml has it.

import FoundationEssentials
import Tween

/// The members of a motion.
struct MotionContents: Decodable, Sendable {
    enum Maximum: Decodable, Sendable {
        case constant(Double)
        case moving(CourseContents, caps: Bool)

        private enum Field: String, CodingKey { case caps }

        init(from decoder: any Decoder) throws {
            if let number = try? decoder.singleValueContainer().decode(Double.self) {
                self = .constant(number)
            } else {
                let caps = try decoder.container(keyedBy: Field.self).decodeIfPresent(Bool.self, forKey: .caps)
                self = .moving(try CourseContents(from: decoder), caps: caps ?? false)
            }
        }
    }

    let state: String
    let start: String
    let elapsed: Double?
    let rate: Double?
    let range: [Double?]?
    let clamp: [Double?]?
    let arrival: Double?
    let maximum: Maximum?
    /// What it has in common with a maximum that moves.
    let course: CourseContents

    private enum Field: String, CodingKey { case state, start, elapsed, rate, range, clamp, arrival, maximum }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        state = try fields.decode(String.self, forKey: .state)
        start = try fields.decode(String.self, forKey: .start)
        elapsed = try fields.decodeIfPresent(Double.self, forKey: .elapsed)
        rate = try fields.decodeIfPresent(Double.self, forKey: .rate)
        range = try fields.decodeIfPresent([Double?].self, forKey: .range)
        clamp = try fields.decodeIfPresent([Double?].self, forKey: .clamp)
        arrival = try fields.decodeIfPresent(Double.self, forKey: .arrival)
        maximum = try fields.decodeIfPresent(Maximum.self, forKey: .maximum)
        course = try CourseContents(from: decoder)
    }
}

/// How a number goes from its start to its target.
struct CourseContents: Decodable, Sendable {
    struct SpringNumbers: Decodable, Sendable {
        let dampingRatio: Double
        let response: Double
    }

    struct Keyframe: Decodable, Sendable {
        let to: Double
        let offset: Double
        let easing: String
    }

    struct Launch: Decodable, Sendable {
        let easing: String?
        let chase: Double?
        let ramp: Double?
        let swerve: [Double]?
        let turn: [Double]?
    }

    /// A number, or `forever`.
    struct Count: Decodable, Sendable {
        let number: Double

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            number = (try? value.decode(Double.self)) ?? .infinity
        }
    }

    let from: Double
    let to: Double
    let duration: Double
    let delay: Double?
    let endDelay: Double?
    let easing: String?
    let spring: SpringNumbers?
    let velocity: Double?
    let iterations: Count?
    let direction: String?
    let repeatDelay: Double?
    let launch: Launch?
    let keyframes: [Keyframe]?

    /// Returns the motion; nil if something in it isn't understood.
    func motion(_ playback: Playback) -> Motion? {
        guard let direction = Direction(rawValue: direction ?? Direction.normal.rawValue),
            let velocityMatch = launch.map({ $0.velocityMatch }) ?? VelocityMatch.none
        else { return nil }
        let cycles = Cycles(
            iterations: iterations?.number ?? 1, direction: direction, repeatDelay: repeatDelay ?? 0)
        let course: Motion.Course
        var frames: Keyframes?
        if let spring {
            guard let shape = try? Spring(dampingRatio: spring.dampingRatio, response: spring.response) else {
                return nil
            }
            course = .spring(shape, delay: delay ?? 0, endDelay: endDelay ?? 0, cycles: cycles, threshold: 0)
        } else {
            guard let curve = try? Easing(parsing: easing ?? "linear") else { return nil }
            course = .timed(
                Timing(
                    duration: duration, delay: delay ?? 0, endDelay: endDelay ?? 0, cycles: cycles, easing: curve))
            if let keyframes {
                frames = try? Keyframes(keyframes.map { try $0.frame })
                guard frames != nil else { return nil }
            }
        }
        return Motion(
            from: from, to: to, course: course, along: frames, handover: velocity ?? 0,
            velocityMatch: velocityMatch, cycleDuration: duration, playback: playback)
    }
}

extension CourseContents.Keyframe {
    var frame: Keyframes.Frame {
        get throws { Keyframes.Frame(to, at: offset, easing: try Easing(parsing: easing)) }
    }
}

extension CourseContents.Launch {
    /// nil for a form that isn't known.
    var velocityMatch: VelocityMatch? {
        // Another easing than the motion's is a line, or the square of a higher power.
        let base: VelocityMatch.Base = easing.map { $0 == "linear" ? .linear : .square } ?? .easing
        let form: VelocityMatch.Form
        if let chase {
            form = .chase(excess: chase)
        } else if let ramp {
            form = .ramp(ramp)
        } else if let swerve, swerve.count == 2 {
            form = .swerve(speed: swerve[0], span: swerve[1])
        } else if let turn, turn.count == 2 {
            form = .turn(speed: turn[0], span: turn[1])
        } else {
            return nil
        }
        return VelocityMatch(form: form, base: base)
    }
}
