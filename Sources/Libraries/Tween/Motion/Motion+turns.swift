// Where a motion turns or jumps. Whoever looks at it now and then would miss these values.

extension Motion {
    /// A value that a cycle shows, or approaches, at a share of its time.
    struct Turn {
        /// 0 to 1, after applying the cycle's direction.
        var share: Double
        var value: Double
    }

    /// A cycle, or a part of one.
    private struct Passage {
        var iteration: Double
        /// The shares of the cycle's time at which it begins and ends, after applying the direction.
        var start: Double
        var end: Double
        var restsBefore = false
        var restsAfter = false
        /// Whether it leads forwards through the cycle's easing.
        var isForwards: Bool { start < end }
    }

    /// The maximum number of a spring's turns that are looked at in a cycle. Those closest to its release count, which go
    /// furthest.
    static let maximumTurns = 64
    /// The maximum number of whole cycles that are looked at: one in each direction. The first and the last cycle may be
    /// partial, and the first may take over a velocity.
    private static let maximumWholeCycles = 2

    /// Visits the values at which it has turned since `playback.start` (the last start, resumption, seek or change of rate), in
    /// the order in which they were shown: the ends of cycles, keyframes, and where a spring or an easing turns. Between
    /// one and the next, it goes one way. Values at which nothing turns may be among them, but none that it never shows or
    /// approaches. What later cycles repeat is left out.
    package func forEachTurn(until instant: Instant, _ visit: (Double) -> Void) {
        guard mayTurn else { return }
        let (start, now) = (playback.offset, elapsed(at: instant))
        guard start != now else { return }
        if isPlain, case .spring = course { return visitSpring(from: start - delay, to: now - delay, visit) }
        guard cycleDuration > 0, cycleDuration.isFinite else { return }
        let timing = timing
        for passage in passages(from: start, to: now, in: timing) {
            for value in values(in: passage, of: timing) where value.isFinite { visit(value) }
        }
    }

    /// Whether it may show values that don't lie between those at two moments before and after. Most motions can't.
    private var mayTurn: Bool {
        guard isPlain, case .timed(let timing) = course else { return true }
        return velocityMatch.hasAside || velocityMatch.base(timing.easing).mayTurn
    }

    // MARK: - Springs that run once

    /// Each turn of a released spring is closer to its target than the one before, so two bound the rest of the way. Backwards
    /// they grow, and all count.
    private func visitSpring(from start: Double, to now: Double, _ visit: (Double) -> Void) {
        let (low, high) = (max(min(start, now), 0), min(max(start, now), activeDuration))
        let times = oscillation.turns(from: low, to: high, atMost: start < now ? 2 : Self.maximumTurns)
        if start < now {
            for time in times { visit(value(atTime: delay + time)) }
        } else {
            for time in times.reversed() { visit(value(atTime: delay + time)) }
        }
    }

    // MARK: - Cycles

    /// Returns the parts of cycles between two own times, in the order of play.
    private func passages(from start: Double, to now: Double, in timing: Timing) -> [Passage] {
        let (first, last) = (position(at: start, in: timing), position(at: now, in: timing))
        guard first.iteration != last.iteration else {
            return [Passage(iteration: first.iteration, start: first.directed, end: last.directed)]
        }
        let isReversed = now < start
        let step: Double = isReversed ? -1 : 1
        let rests = timing.repeatDelay > 0
        // The share at which a cycle ends in the direction of play.
        func lastShare(of iteration: Double) -> Double { timing.isForwards(in: iteration) != isReversed ? 1 : 0 }
        var passages = [
            Passage(
                iteration: first.iteration, start: first.directed, end: lastShare(of: first.iteration),
                restsAfter: rests && !isReversed)
        ]
        var iteration = first.iteration + step
        while iteration != last.iteration, passages.count <= Self.maximumWholeCycles {
            let goal = lastShare(of: iteration)
            passages.append(
                Passage(
                    iteration: iteration, start: 1 - goal, end: goal, restsBefore: rests && isReversed,
                    restsAfter: rests && !isReversed))
            iteration += step
        }
        passages.append(
            Passage(
                iteration: last.iteration, start: 1 - lastShare(of: last.iteration), end: last.directed,
                restsBefore: rests && isReversed))
        return passages
    }

    private func position(at time: Double, in timing: Timing) -> Timing.Position {
        timing.position(at: time, in: timing.phase(at: time, isReversed: playback.rate < 0))
    }

    /// Returns the values at the turns of a part of a cycle, and at rest beside it, in the order of play.
    private func values(in passage: Passage, of timing: Timing) -> [Double] {
        let isFirst = passage.iteration == timing.iterationStart.rounded(.down)
        var turns = turns(in: passage, of: timing, isFirst: isFirst)
        if passage.restsBefore { turns.insert(restingTurn(at: passage.start, in: timing, isFirst: isFirst), at: 0) }
        if passage.restsAfter { turns.append(restingTurn(at: passage.end, in: timing, isFirst: isFirst)) }
        guard overshoot != .allow else { return turns.map { $0.value } }
        return turns.map { held($0.value, at: delay + $0.share * cycleDuration) }
    }

    /// Returns what is shown between a cycle and the next.
    private func restingTurn(at share: Double, in timing: Timing, isFirst: Bool) -> Turn {
        Turn(share: share, value: cycleValue(timing, at: share, isFirst: isFirst))
    }

    /// Returns the turns of a part of a cycle in the order of play; none of one that takes no time, as while it rests.
    private func turns(in passage: Passage, of timing: Timing, isFirst: Bool) -> [Turn] {
        guard passage.start != passage.end else { return [] }
        let way = min(passage.start, passage.end)...max(passage.start, passage.end)
        var turns: [Turn]
        if let keyframes {
            turns = keyframes.turns(from: from, within: way)
        } else if case .spring(let spring, _, _, _, _) = course {
            turns = springTurns(spring, within: way, isForwards: passage.isForwards, isFirst: isFirst)
        } else {
            turns = isFirst ? firstEasedTurns(timing) : timing.easing.shownTurns.map(eased)
        }
        if isFirst, isMatched(timing) { turns = matched(turns, within: way, in: timing) }
        turns.removeAll { !way.contains($0.share) }
        return passage.isForwards ? turns : turns.reversed()
    }

    private func eased(_ point: LinearStops.Point) -> Turn { Turn(share: point.input, value: blend(point.output)) }

    /// Returns the turns of the first cycle's easing, without a term beside it.
    private func firstEasedTurns(_ timing: Timing) -> [Turn] {
        velocityMatch.base(timing.easing).shownTurns.map { point in
            let share = velocityMatch.share(ofInput: point.input)
            return Turn(share: share, value: blend(velocityMatch.output(at: share, eased: point.output)))
        }
    }

    /// Returns the ends of a spring's cycle and its turns. The distribution of the rest moves them by less than the rest, and
    /// their values by its square.
    private func springTurns(
        _ spring: Spring, within way: ClosedRange<Double>, isForwards: Bool, isFirst: Bool
    ) -> [Turn] {
        let shrinks = isForwards && !(isFirst && velocityMatch.hasAside)
        let times = run(of: spring, isFirst: isFirst).turns(
            from: way.lowerBound * cycleDuration, to: way.upperBound * cycleDuration,
            atMost: shrinks ? 2 : Self.maximumTurns)
        let between = times.map { $0 / cycleDuration }.filter { $0 > 0 && $0 < 1 }.map { share in
            Turn(share: share, value: springValue(spring, at: share, isFirst: isFirst))
        }
        return [Turn(share: 0, value: from)] + between + [Turn(share: 1, value: to)]
    }
}

// MARK: - A velocity taken over

extension Motion {
    /// Whether the velocity that is taken over moves the turns of the first cycle, or adds some.
    private func isMatched(_ timing: Timing) -> Bool {
        velocityMatch.hasAside || velocityMatch.bends && velocityMatch.base(timing.easing).mayTurn
    }

    /// The parts of a first cycle that are searched for turns.
    private static let searchedParts = 16
    /// Halvings of a part; the error of the value at a turn falls with the square.
    private static let maximumHalvings = 40
    /// The share of a cycle by which the search stays inside the ends of a part.
    private static let leastShare = 0x1p-20

    /// Returns the turns of a first cycle that takes over a velocity, given those of its curve without the term beside it.
    ///
    /// The sum of a curve and that term has no closed form for its turns. They are bisected where the velocity changes its
    /// sign, between equal parts, the curve's own turns and the middles between those.
    private func matched(_ turns: [Turn], within way: ClosedRange<Double>, in timing: Timing) -> [Turn] {
        let marks = turns.map { $0.share }
        let middles = zip(marks, marks.dropFirst()).map { ($0 + $1) / 2 }
        let parts = (0...Self.searchedParts).map { Double($0) / Double(Self.searchedParts) }
        // Slightly inside, since at an end another cycle or a rest may have its velocity.
        let (low, high) = (way.lowerBound + Self.leastShare, way.upperBound - Self.leastShare)
        let places = [low] + (parts + marks + middles).filter { $0 > low && $0 < high }.sorted() + [high]
        var found = turns.map { turn in
            let aside = velocityMatch.aside(at: time(of: turn.share, in: timing) - delay)
            return Turn(share: turn.share, value: turn.value + aside)
        }
        var last = (share: low, velocity: 0.0)
        for share in low < high ? places : [] {
            let speed = velocity(atTime: time(of: share, in: timing))
            if speed == 0 || last.velocity != 0 && (speed < 0) != (last.velocity < 0) {
                let place = speed == 0 ? share : turningShare(between: last.share, and: share, in: timing)
                found.append(Turn(share: place, value: value(atTime: time(of: place, in: timing))))
            }
            last = (share, speed)
        }
        return found.sorted { $0.share < $1.share }
    }

    /// Returns the share at which the velocity changes its sign.
    private func turningShare(between start: Double, and end: Double, in timing: Timing) -> Double {
        var (low, high) = (start, end)
        let rises = velocity(atTime: time(of: low, in: timing)) > 0
        for _ in 0..<Self.maximumHalvings {
            let middle = (low + high) / 2
            if (velocity(atTime: time(of: middle, in: timing)) > 0) == rises { low = middle } else { high = middle }
        }
        return high
    }

    /// Returns the own time of a share of the first cycle.
    private func time(of share: Double, in timing: Timing) -> Double {
        let isForwards = timing.isForwards(in: timing.iterationStart.rounded(.down))
        let progress = isForwards ? share : 1 - share
        return delay + (progress - timing.iterationStart.truncatingRemainder(dividingBy: 1)) * cycleDuration
    }
}
