// The query parameters of a picture.

import Base
import Board
import HTTPTransport
import Wire

/// A parameter of a picture.
enum PictureParameter: String, CaseIterable {
    case style, theme, color, label, width

    /// Reads the parameter's value.
    /// - Throws: 422, naming it.
    private func read(_ text: String, into options: inout PictureOptions) throws(Problem) {
        switch self {
        case .style: options.style = try Self.choice(text, "?style")
        case .theme: options.theme = try Self.choice(text, "?theme")
        case .color:
            guard let color = PictureOptions.color(text) else {
                throw .field("?color", "must be a colour's name, or 3 to 8 hexadecimal digits such as 2da44e")
            }
            options.color = color
        case .label:
            guard text.unicodeScalars.count <= PictureOptions.longestLabel else {
                throw .field("?label", "must be at most \(PictureOptions.longestLabel) characters long")
            }
            options.label = text
        case .width:
            guard let width = Int(text), PictureOptions.widths.contains(width) else {
                let range = PictureOptions.widths
                throw .field("?width", "must be whole pixels, \(range.lowerBound) to \(range.upperBound)")
            }
            options.width = width
        }
    }

    private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ text: String, _ pointer: String
    ) throws(Problem) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            throw .field(pointer, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    /// Parses the options of a picture.
    /// - Throws: 422, naming the parameter.
    static func options(_ request: HTTPRequest, of name: ResourceName) throws(Problem) -> PictureOptions {
        var options = PictureOptions(style: name.kind == .progress ? .bar : .badge)
        for parameter in allCases {
            if let text = request.query(parameter.rawValue) { try parameter.read(text, into: &options) }
        }
        guard name.kind == .progress || !options.style.needsFraction else {
            throw .field("?style", "a ticker has no fraction to draw; use badge")
        }
        return options
    }
}
