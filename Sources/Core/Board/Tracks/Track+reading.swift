// What a track shows: readings for answers and events, bytes for frames.

package import Labels
package import Tween

extension Track {
    /// Returns what is shown at an instant.
    package func reading(at now: Instant) -> Reading {
        let position = position(at: now)
        if case .ticker(let rendering) = rendering { return Reading(value: position, of: rendering) }
        var text: [UInt8] = []
        appendText(position, at: now, escaped: false, to: &text)
        let share = share(of: position, at: now)
        guard case .progress(let rendering) = rendering else { return Reading(value: position, text: text) }
        let shown = ShownProgress(rendering, progressValues(position, at: now), text: text)
        return Reading(value: position, of: shown, fraction: share?.fraction, percent: share?.percent)
    }

    /// Appends the text of a value; allocates nothing except to grow the buffer.
    /// - Parameter escaped: Whether static parts are escaped for a JSON string.
    package func appendText(_ position: Position, at now: Instant, escaped: Bool, to bytes: inout [UInt8]) {
        switch rendering {
        case .ticker(let ticker): ticker.append(position, escaped: escaped, to: &bytes)
        case .progress(let progress):
            let values = progressValues(position, at: now)
            if escaped {
                progress.escaped.append(values, to: &bytes)
            } else {
                progress.plain.append(values, to: &bytes)
            }
        }
    }

    /// Returns a value's share of the maximum shown; nil for tickers and while indeterminate.
    package func share(of position: Position, at now: Instant) -> ProgressShare? {
        guard case .progress(let progress) = rendering, case .value(let maximum) = progress.maximum else { return nil }
        if let shown = run?.maximum?.motion.value(at: now), shown != maximum.double {
            return .onTheWay(position.double, of: shown)
        }
        switch position {
        case .exact(let current):
            return ProgressShare(
                fraction: ProgressMath.fraction(of: current.double, maximum: maximum.double),
                percent: ProgressMath.percent(current: current, maximum: maximum))
        case .moving(let current): return progressScale?.share(of: current)
        }
    }

    /// Returns the percentage with the label's decimals; nil if the label shows none, or there is no maximum.
    private func percentWithDecimals(of position: Position, at now: Instant) -> Double? {
        guard case .progress(let progress) = rendering, case .value(let maximum) = progress.maximum else { return nil }
        let decimals = progress.plain.percentStyle.decimals
        guard decimals > 0, let shown = self.maximum(at: now) else { return nil }
        let units: Int
        switch position {
        case .exact(let current) where shown == maximum.double:
            units = ProgressMath.percent(current: current, maximum: maximum, decimals: decimals)
        default:
            let isSteady = shown == maximum.double
            let end = run?.request.target ?? target
            units = ProgressMath.percent(
                of: position.double, maximum: shown, end: isSteady ? end.double : .infinity,
                endPercent: isSteady
                    ? ProgressMath.percent(current: end, maximum: maximum, decimals: decimals) : .max,
                decimals: decimals)
        }
        return Double(units) / PercentStyle.unitsPerPercent(decimals)
    }

    /// Where a progress comes to rest, in percent with the label's decimals; nil if unknown.
    package var destinationPercent: Double? {
        guard let target = destination, case .progress(let progress) = rendering,
            case .value(let maximum) = progress.maximum
        else { return nil }
        let decimals = progress.plain.percentStyle.decimals
        let units = ProgressMath.percent(current: target, maximum: maximum, decimals: decimals)
        return Double(units) / PercentStyle.unitsPerPercent(decimals)
    }

    /// Where the current run comes to rest; nil when nothing runs.
    package var destination: ExactDecimal? { run.map { exact(destination(of: $0)) } }

    /// Returns the maximum shown, which may be moving; nil for tickers and while indeterminate.
    package func maximum(at now: Instant) -> Double? {
        guard case .progress(let progress) = rendering, case .value(let maximum) = progress.maximum else { return nil }
        return run?.maximum?.motion.value(at: now) ?? maximum.double
    }

    /// The scale of its moving values while the maximum is constant; nil for tickers and while indeterminate.
    package var progressScale: ProgressScale? {
        guard case .progress(let progress) = rendering, case .value(let maximum) = progress.maximum else { return nil }
        return ProgressScale(
            maximum: maximum, end: run?.request.target ?? target, bounds: progressBounds(of: maximum.double))
    }

    /// Returns the bounds of a moving progress for the maximum shown.
    package func progressBounds(of maximum: Double) -> ProgressBounds {
        guard let run else { return .none }
        let change = run.maximum?.motion
        let end = change?.to ?? maximum
        let goal = ProgressBounds.share(of: run.request.target.double, end)
        var ends = goal...goal
        for waypoint in run.request.waypoints {
            let share = ProgressBounds.share(of: waypoint.target.double, end)
            ends = min(ends.lowerBound, share)...max(ends.upperBound, share)
        }
        let start = ProgressBounds.share(of: run.origin.double, change?.from ?? maximum)
        return ProgressBounds(maximum: maximum, start: start, ends: ends)
    }

    private func progressValues(_ position: Position, at now: Instant) -> ProgressLabel.Values {
        var values = ProgressLabel.Values(value: position.double)
        if case .exact(let current) = position { values.exactCurrent = current }
        if case .progress(let progress) = rendering, case .value(let maximum) = progress.maximum {
            values.maximum = maximum
            values.maximumOnTheWay = run?.maximum?.motion.value(at: now)
        }
        values.target = destination
        values.targetPercent = destinationPercent
        let share = share(of: position, at: now)
        values.percent = share?.percent
        values.percentWithDecimals = percentWithDecimals(of: position, at: now)
        values.fraction = share?.fraction
        if case .progress(let progress) = rendering, progress.followsTime {
            values.elapsed = elapsed(at: now)
            guard progress.showsPace else { return values }
            let pace = pace(at: now)
            values.rate = pace.rate
            values.eta = pace.secondsLeft
        }
        return values
    }

    /// Appends all display strings of a ticker as a JSON object.
    /// - Parameter parts: The parts of its text; nil omits them.
    /// - Returns: false for a progress, for which nothing is appended.
    package func appendTickerDescriptor(
        parts: [NumberPart]?, at now: Instant, to bytes: inout [UInt8]
    ) -> Bool {
        guard case .ticker(let ticker) = rendering else { return false }
        let position = position(at: now)
        ticker.appendDescriptor(
            position, target: exact(run.map { destination(of: $0) } ?? position),
            progress: run.map { $0.motion.fraction(at: now) },
            velocity: run.flatMap { $0.request.goesToAndFro ? $0.motion.velocity(at: now) : nil }, parts: parts,
            to: &bytes)
        return true
    }

    /// Returns the parts of a ticker's text with their kinds; nil for a progress.
    package func textParts(of position: Position) -> [NumberPart]? {
        guard case .ticker(let ticker) = rendering else { return nil }
        return switch position {
        case .exact(let value): ticker.plain.parts(of: value, format: ticker.format)
        case .moving(let value): ticker.plain.parts(of: value, format: ticker.format)
        }
    }

    /// Returns all display strings of a progress.
    package func progressDescriptor(at now: Instant) -> ProgressDescriptor? {
        guard case .progress(let progress) = rendering else { return nil }
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
