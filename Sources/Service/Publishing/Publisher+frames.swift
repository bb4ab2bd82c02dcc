// Frames at ticks, each encoded once, and the snapshots with which streams begin.

import Base
import Board
import EventStream
package import Machine
package import Tween
import Wire

extension Publisher {
    // MARK: - What moves

    func publishMoving(_ stamp: FrameStamp, isLate: Bool, of machine: inout Machine) {
        pass.run(&machine, &frames, hub, stamp)
        publishLeft(stamp, in: machine.engine)
        due.extended.begin(pass.extended, stamp: stamp, isLate: isLate)
        publishExtended(of: machine)
    }

    /// Continues with the frames that the last tick left; flushes when they are done.
    package func continueFrames(of machine: borrowing Machine, at now: Instant) {
        guard hasFramesToContinue else { return }
        publishMotions(of: machine, at: now)
        if grid.tick(of: now) > grid.tick(of: due.extended.instant) {
            // A stream that begins now gets the state of a later tick, so no frame of this tick may follow.
            due.extended.skipRest()
        } else {
            publishExtended(of: machine)
        }
        if !hasFramesToContinue { flush(at: now) }
    }

    private func publishExtended(of machine: borrowing Machine) {
        let (readers, locales) = (readers, locales)
        pass.run(&due.extended, of: machine.engine, &frames, hub) { track, variant in
            guard let locale = locales[variant.locale] else { return track }
            return readers.track(track, in: locale)
        }
        publishLeft(due.extended.stamp, in: machine.engine)
    }

    /// Publishes the frames of samples that must be made from their tracks.
    private func publishLeft(_ stamp: FrameStamp, in engine: borrowing Engine) {
        frameCount += pass.frames
        for slot in pass.waiting { due.waiting.add(.track(slot)) }
        for left in pass.left {
            publish(
                .track(left.slot), on: left.topic, in: left.variants, of: left.owner, stamp, in: engine,
                at: Instant(nanoseconds: stamp.unixNanoseconds))
        }
    }

    // MARK: - What has changed

    /// The work that a tick spends on frames of changed resources; the rest waits for the next tick.
    private static let dueWork = 4_000

    func publishDue(_ stamp: FrameStamp, of machine: borrowing Machine, at now: Instant) {
        var work = 0
        while work < Self.dueWork, let place = due.frames.next() {
            work += publish(place, stamp, of: machine, at: now)
            guard case .track = place, let topic = topic(at: place) else { continue }
            if wantsMotions(of: topic) { due.motions.add(place) }
        }
        while work < Self.dueWork, let place = due.paces.next() {
            work += publish(place, stamp, of: machine, at: now)
        }
    }

    /// Publishes a frame of the resource at a place.
    /// - Returns: The work that it took.
    private func publish(
        _ place: DueFrames.Place, _ stamp: FrameStamp, of machine: borrowing Machine, at now: Instant
    ) -> Int {
        guard let topic = topic(at: place) else { return 0 }
        let variants = hub.variants(watching: topic)
        publish(place, on: topic, in: variants, stamp, in: machine.engine, at: now)
        guard case .schedule(let slot) = place else {
            return hub.allVariants(of: variants, watching: topic).reduce(0) { $0 + $1.work }
        }
        if !variants.isEmpty { countdowns.track(slot, at: now, in: machine.engine) }
        return 1
    }

    private func publish(
        _ place: DueFrames.Place, on topic: TopicIndex, in variants: VariantSet, of owner: Int32? = nil,
        _ stamp: FrameStamp, in engine: borrowing Engine, at now: Instant
    ) {
        guard !variants.isEmpty, let subject = subject(at: place, in: engine) else { return }
        publish(FrameState(subject, at: now, in: &text), on: topic, in: variants, of: owner, stamp)
    }

    /// Returns what a resource shows; nil if there is none.
    private func subject(at place: DueFrames.Place, in engine: borrowing Engine) -> FrameState.Subject? {
        switch place {
        case .track(let slot):
            guard let track = engine.tracks[slot] else { return nil }
            return .track(track)
        case .schedule(let slot):
            guard let schedule = engine.schedules[slot] else { return nil }
            return .schedule(schedule, isHeld: engine.isHeld(schedule))
        }
    }

    /// Publishes a state in each of a topic's forms whose last frame showed another.
    /// - Parameters:
    ///   - variants: Those of the forms; with locales, also all forms in locales of readers.
    ///   - owner: The owner of the forms; nil for all.
    func publish(
        _ posted: FrameState, on topic: TopicIndex, in variants: VariantSet, of owner: Int32? = nil,
        _ stamp: FrameStamp
    ) {
        var isShown = false
        /// The audience in the form that several variants share.
        var common: FrameAudience??
        for variant in hub.allVariants(of: variants, watching: topic)
        where !(variant.isMotion && posted.isInMotion) {
            if let owner, hub.owner(of: variant, watching: topic) != owner { continue }
            guard variant.locale > 0 else {
                let isCommon = frames.topics[Int(topic.rawValue)].isCommon(variant)
                let audience = publish(posted, as: variant, on: topic, stamp, to: isCommon ? common : nil)
                if isCommon { common = audience }
                isShown = isShown || audience != nil
                continue
            }
            guard let shown = shown(posted.subject, in: variant, at: posted.instant) else {
                if let place = place(of: topic) { due.waiting.add(place) }
                continue
            }
            let state = FrameState(shown, at: posted.instant, in: &text)
            isShown = publish(state, as: variant, on: topic, stamp) != nil || isShown
            text = state.text
        }
        text = posted.text
        frameCount += isShown ? 1 : 0
    }

    /// Publishes a state in one variant.
    /// - Parameter known: The audience, if the form has shown the state already.
    /// - Returns: The audience; nil if no frame was needed.
    private func publish(
        _ state: FrameState, as variant: Variant, on topic: TopicIndex, _ stamp: FrameStamp,
        to known: FrameAudience?? = nil
    ) -> FrameAudience? {
        frames.withForm(of: variant, on: topic) { form in
            guard let audience = known ?? form.show(state, &buffers) else { return nil }
            hub.publishFrame(topic, variant, for: audience, isFinal: state.isFinal) { bytes in
                form.append(state, as: variant, stamp, to: &bytes)
            }
            return audience
        }
    }

    // MARK: - Motions

    /// Whether a topic has subscribers that interpolate themselves.
    private func wantsMotions(of topic: TopicIndex) -> Bool {
        hub.allVariants(watching: topic).contains(where: \.isMotion)
    }

    /// Publishes changed motions to clients that interpolate themselves, a portion of about a millisecond.
    func publishMotions(of machine: borrowing Machine, at now: Instant) {
        var work = 0
        while work < Self.motionWork, let place = due.motions.next() {
            work += 1
            // A motion that ended in the meantime has had its final frame.
            guard case .track(let slot) = place, let topic = topic(at: place),
                let track = machine.engine.tracks[slot], track.run != nil
            else { continue }
            var bytes = 0
            for variant in hub.allVariants(watching: topic) where variant.isMotion {
                guard let shown = shown(track, in: variant) else {
                    due.waiting.add(place)
                    continue
                }
                let payload = FrameForm.motion(of: shown, at: now)
                hub.publishMotion(topic, variant, payload: payload)
                bytes += payload.count
            }
            work += bytes / Self.motionBytesOfWork
        }
    }

    /// The work of a portion of motions.
    private static let motionWork = 1_000
    /// How many bytes of a motion's payload count as one unit of work: a portion is about 30 motions of usual size.
    private static let motionBytesOfWork = 16

    // MARK: - Snapshots

    /// Appends the payload of the current state, for a stream that begins.
    func appendSnapshot(
        of topic: TopicIndex, variant: Variant, in engine: borrowing Engine, at now: Instant, to bytes: inout [UInt8]
    ) -> Hub.Snapshot {
        guard let place = place(of: topic), let posted = subject(at: place, in: engine) else { return .frame }
        let shown = shown(posted, in: variant, at: now)
        if variant.isMotion, case .track(let track) = shown ?? posted, track.run != nil {
            if shown == nil { due.waiting.add(place) } else { bytes += FrameForm.motion(of: track, at: now) }
            return .motion
        }
        guard let shown else {
            // Other readers in this locale may have seen the same state, but this one has not.
            frames.topics[Int(topic.rawValue)].lapse(variant)
            due.waiting.add(place)
            return .frame
        }
        let state = FrameState(shown, at: now, in: &text)
        defer { text = state.text }
        return frames.withForm(of: variant, on: topic) { form in
            let isGreeted = form.begin(state, isDue: due.frames.contains(place), &buffers)
            form.append(state, as: variant, stamp(at: now), to: &bytes)
            return isGreeted ? .greetedFrame : .frame
        }
    }

    /// Returns what a stream that answers an update shows first: the first frame, and also the final frame if the motion
    /// ended before the stream had a socket. `text` then holds the text of the last one.
    func opening(
        of start: StreamStart, _ variant: Variant, in engine: borrowing Engine, at now: Instant
    ) -> [[UInt8]] {
        let current = engine.track(start.name).flatMap { shown($0, in: variant) }
        guard let posted = start.track else {
            return current.map { [SSE.frame(payload(of: $0, variant: variant, at: now))] } ?? []
        }
        guard let first = shown(posted, in: variant) else { return [] }
        let frame = SSE.frame(payload(of: first, variant: variant, at: start.instant))
        guard first.run != nil, let current, current.run == nil else { return [frame] }
        return [frame, SSE.frame(payload(of: current, variant: variant, at: now))]
    }

    /// Returns the payload of a track's current state, whether it is watched or not.
    private func payload(of track: Track, variant: Variant, at now: Instant) -> [UInt8] {
        let state = FrameState(.track(track), at: now, in: &text)
        var form = FrameForm(variant, FramePrefix(track.name))
        form.make(state, &buffers)
        var bytes: [UInt8] = []
        form.append(state, as: variant, variant.isStamped ? stamp(at: now) : nil, to: &bytes)
        text = state.text
        return bytes
    }
}
