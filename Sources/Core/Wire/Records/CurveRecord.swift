// Easings and springs in records, with their exact parameters, and in answers.

import Board
import Labels
import Tween

enum CurveRecord {
    static func append(_ curve: TrackUpdate.Curve, to record: inout some FieldWriter) {
        switch curve {
        case .easing(let easing):
            record.member("curve", easing.description)
        case .spring(.settling(let dampingRatio, let velocity)):
            record.member("settling", stored: dampingRatio)
            record.member("initialVelocity", stored: velocity, unless: 0)
        case .spring(.spring(let spring, let velocity)):
            append(spring, to: &record)
            record.member("initialVelocity", stored: velocity, unless: 0)
        }
    }

    static func append(_ spring: Spring, to record: inout some FieldWriter) {
        // The frequency of an immediate spring is infinite, which is null here.
        record.member("angularFrequency", spring.angularFrequency)
        record.member("dampingRatio", stored: spring.dampingRatio)
    }

    static func curve(_ fields: inout FieldReader) throws(Problem) -> TrackUpdate.Curve {
        if let text = try fields.string("curve") { return .easing(try easing(text, fields)) }
        let velocity = try fields.number("initialVelocity") ?? 0
        if let ratio = try fields.number("settling") {
            return .spring(.settling(dampingRatio: ratio, initialVelocity: velocity))
        }
        return .spring(.spring(try spring(&fields), initialVelocity: velocity))
    }

    static func easing(_ text: String, _ fields: FieldReader) throws(Problem) -> Easing {
        do throws(EasingError) {
            return try Easing(parsing: text)
        } catch {
            throw .field(fields.pointer, "\(error)")
        }
    }

    static func spring(_ fields: inout FieldReader) throws(Problem) -> Spring {
        let node = try fields.required(fields.read("angularFrequency"), "angularFrequency")
        let ratio = try fields.required(try fields.number("dampingRatio"), "dampingRatio")
        do throws(SpringError) {
            return try Spring(frequency: fields.double(node) ?? .infinity, dampingRatio: ratio)
        } catch {
            throw .field(fields.pointer, "\(error)")
        }
    }

    /// Appends a run's curve in the form of an update.
    static func show(_ run: Run, to json: inout JSONWriter) {
        switch run.motion.course {
        case .timed(let timing):
            json.member("easing", timing.easing.description)
        case .spring(let spring, _, _, _, _):
            json.member("spring") {
                $0.member("dampingRatio", spring.dampingRatio)
                $0.member("response", spring.response)
                $0.member("initialVelocity", run.request.relativeVelocity, unless: 0)
            }
        }
    }
}
