// What a track shows: readings for answers and events, bytes for frames.

package import Labels
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
            // Each label is used where it lies: choosing one first would copy it, with all that it refers to.
            switch (position, escaped) {
            case (.exact(let value), true): ticker.escaped.append(value, to: &bytes)
            case (.exact(let value), false): ticker.plain.append(value, to: &bytes)
            case (.moving(let value), true): ticker.escaped.append(value, to: &bytes)
            case (.moving(let value), false): ticker.plain.append(value, to: &bytes)
            }
        case .progress(let progress):
            let values = progressValues(position, at: now)
            if escaped {
                progress.escaped.append(values, to: &bytes)
            } else {
                progress.plain.append(values, to: &bytes)
            }
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
        case .exact(let current): return ProgressMath.percent(current: current, maximum: maximum)
        case .moving(let current): return progressScale?.share(of: current).percent
        }
    }

    /// What its values on their way are measured by; nil for tickers and while indeterminate.
    package var progressScale: ProgressScale? {
        guard case .progress(let progress) = face, case .value(let maximum) = progress.maximum else { return nil }
        return ProgressScale(maximum: maximum, end: run?.request.target ?? target)
    }

    private func progressValues(_ position: Position, at now: Instant) -> ProgressLabel.Values {
        var values = ProgressLabel.Values(value: position.double)
        if case .exact(let current) = position { values.exactCurrent = current }
        if case .progress(let progress) = face, case .value(let maximum) = progress.maximum {
            values.maximum = maximum
        }
        values.percent = percent(of: position)
        values.fraction = fraction(of: position)
        if case .progress(let progress) = face, progress.followsTime {
            values.elapsed = elapsed(at: now)
            guard progress.showsPace else { return values }
            let pace = pace(at: now)
            values.rate = pace.rate
            values.eta = pace.secondsLeft
        }
        return values
    }

    /// All display strings of a ticker.
    package func tickerDescriptor(at now: Instant) -> TickerDescriptor? {
        guard case .ticker(let ticker) = face else { return nil }
        let position = position(at: now)
        return TickerDescriptor(
            ticker.plain, value: position.double, target: run?.request.target ?? exact(position),
            progress: run.map { $0.motion.fraction(at: now) })
    }

    /// All display strings of a progress.
    package func progressDescriptor(at now: Instant) -> ProgressDescriptor? {
        guard case .progress(let progress) = face else { return nil }
        var values = progressValues(position(at: now), at: now)
        let pace = pace(at: now)
        values.elapsed = pace.elapsed
        values.rate = pace.rate
        values.eta = pace.secondsLeft
        return ProgressDescriptor(progress.plain, values, state: pace.state)
    }

    private func exact(_ position: Position) -> ExactDecimal {
        switch position {
        case .exact(let value): value
        case .moving(let value): ExactDecimal(value) ?? target
        }
    }
}
