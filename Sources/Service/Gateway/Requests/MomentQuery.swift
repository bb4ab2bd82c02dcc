// The query parameters of instants and lists of frames.

import Base
import HTTPTransport
import Wire

/// A parameter of a list of frames.
enum FrameListParameter: String, CaseIterable {
    case from, to, fps
    case form = "as"
}

enum MomentQuery {
    /// The parameter that asks what a number shows at another instant than now.
    static let instant = "at"

    /// Parses the instant of a parameter; nil if there is none.
    /// - Throws: 422, naming it.
    static func time(_ name: String, _ request: HTTPRequest) throws(Problem) -> MomentTime? {
        guard let text = request.query(name) else { return nil }
        guard let time = MomentTime(text) else {
            throw .field(
                "?\(name)",
                "must be a date such as 2026-01-31T12:00:00.5Z, or seconds since the motion's start, 0 to \(Int(saturating: MomentTime.longest))"
            )
        }
        return time
    }

    /// Parses which frames a list has.
    static func frames(_ request: HTTPRequest) throws(Problem) -> FrameList.Selection {
        var selection = FrameList.Selection(
            from: try time(FrameListParameter.from.rawValue, request),
            to: try time(FrameListParameter.to.rawValue, request))
        if let text = request.query(FrameListParameter.fps.rawValue) {
            let rates = FrameList.Selection.rates
            guard let rate = ParameterNumber.value(of: text), rates.contains(rate) else {
                throw .field("?fps", "must be a number, \(rates.lowerBound) to \(Int(saturating: rates.upperBound))")
            }
            selection.framesPerSecond = rate
        }
        return selection
    }

    /// Chooses how the list is written: by `as`, or by `Accept`.
    static func form(_ request: HTTPRequest) throws(Problem) -> FrameList.Form {
        guard let text = request.query(FrameListParameter.form.rawValue) else {
            return AcceptedTypes(request).frameList
        }
        guard let form = FrameList.Form(rawValue: text) else {
            throw .field("?as", "must be one of \(FrameList.Form.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return form
    }
}
