// What a track shows: readings for answers and events, bytes for frames.

import Labels
package import Tween

extension Track {
    /// What is shown at an instant.
    package func reading(at now: Instant) -> Reading {
        let position = position(at: now)
        var text: [UInt8] = []
        appendText(position, at: now, escaped: false, to: &text)
        return Reading(
            value: position, text: text, fraction: fraction(of: position), percent: percent(of: position))
    }

    /// Appends the text of a value; allocates nothing beyond the buffer's growth.
    /// - Parameter escaped: Static parts come escaped for a JSON string.
    package func appendText(_ position: Position, at now: Instant, escaped: Bool, to bytes: inout [UInt8]) {
        switch face {
        case .ticker(let ticker):
            switch position {
            case .exact(let value): (escaped ? ticker.escaped : ticker.plain).append(value, to: &bytes)
            case .moving(let value): (escaped ? ticker.escaped : ticker.plain).append(value, to: &bytes)
            }
        case .progress(let progress):
            (escaped ? progress.escaped : progress.plain).append(progressValues(position, at: now), to: &bytes)
        }
    }

    /// The unclamped share of the maximum; nil for tickers and while indeterminate.
    package func fraction(of position: Position) -> Double? {
        guard case .progress(let progress) = face, case .value(let maximum) = progress.maximum else { return nil }
        return ProgressMath.fraction(of: position.double, maximum: maximum.double)
    }

    /// The whole percentage, truncated exactly; 100 only when it is done.
    package func percent(of position: Position) -> Int? {
        guard case .progress(let progress) = face, case .value(let maximum) = progress.maximum else { return nil }
        switch position {
        case .exact(let current):
            return ProgressMath.percent(current: current, maximum: maximum)
        case .moving(let current):
            let end = run?.request.target ?? target
            return ProgressMath.percent(
                of: current, maximum: maximum.double, end: end.double,
                endPercent: ProgressMath.percent(current: end, maximum: maximum))
        }
    }

    private func progressValues(_ position: Position, at now: Instant) -> ProgressLabel.Values {
        var values = ProgressLabel.Values(value: position.double)
        if case .exact(let current) = position { values.exactCurrent = current }
        if case .progress(let progress) = face, case .value(let maximum) = progress.maximum {
            values.maximum = maximum
        }
        values.percent = percent(of: position)
        values.fraction = fraction(of: position)
        values.elapsed = run.map { max(0, $0.motion.elapsed(at: now)) }
        return values
    }
}
