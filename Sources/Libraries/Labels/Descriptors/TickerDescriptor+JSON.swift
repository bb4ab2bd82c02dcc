// The display strings of a ticker as JSON. Every response contains them, so their bytes are appended in place without making
// strings.

extension TickerDescriptor {
    /// Appends the strings of a descriptor of these values as a JSON object.
    /// - Parameters:
    ///   - label: escaped for JSON.
    ///   - value: the shown value.
    ///   - exact: the shown value, if all its digits are known.
    ///   - target: the exact end value.
    ///   - progress: the motion's progress, 0...1; nil when nothing moves, and the exact value is shown.
    ///   - velocity: units per second of a motion that goes there and back.
    ///   - parts: the text's parts, for the member `parts`; nil for none.
    package static func appendJSON(
        _ label: TickerLabel, value: Double, exact: ExactDecimal? = nil, target: ExactDecimal, progress: Double?,
        velocity: Double? = nil, parts: [NumberPart]? = nil, to bytes: inout [UInt8]
    ) {
        bytes.append("{\"value\":\"".utf8.span)
        if let progress {
            if let exact { label.plan.append(exact, to: &bytes) } else { label.plan.append(value, to: &bytes) }
            bytes.append("\",\"text\":\"".utf8.span)
            if let exact { label.append(exact, to: &bytes) } else { label.append(value, to: &bytes) }
            bytes.append("\",\"target\":\"".utf8.span)
            label.plan.append(target, to: &bytes)
            bytes.append("\",\"percent\":\"".utf8.span)
            bytes.append(percent(progress).utf8.span)
        } else {
            label.plan.append(target, to: &bytes)
            bytes.append("\",\"text\":\"".utf8.span)
            label.append(target, to: &bytes)
        }
        bytes.append("\",\"trend\":\"".utf8.span)
        bytes.append((progress == nil ? steady : trend(from: value, to: target.double, velocity)).utf8.span)
        bytes.append("\",\"accessible\":\"".utf8.span)
        label.append(target, to: &bytes)
        bytes.append(ASCII.quote)
        if let parts {
            bytes.append(",\"parts\":".utf8.span)
            parts.appendJSON(to: &bytes)
        }
        bytes.append(ASCII.closeBrace)
    }
}
