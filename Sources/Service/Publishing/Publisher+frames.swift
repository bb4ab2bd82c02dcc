// Frames at ticks, each encoded once, and the snapshots with which streams begin.

import Base
import Board
import EventStream
import Labels
package import Machine
package import Tween
import Wire

extension Publisher {
    // MARK: - Frames

    func publishMoving(_ stamp: FrameStamp, isLate: Bool, of machine: inout Machine, at now: Instant) {
        pass.run(&machine, &topics, hub, stamp, at: now)
        frameCount += pass.frames
        for slot in pass.left {
            guard let topic = topics.topic(ofTrack: slot) else { continue }
            publishFrame(
                ofTrack: slot, on: topic, hub.variants(watching: topic).plain, stamp, in: machine.engine, at: now)
        }
        due.extended.begin(pass.extended, stamp: stamp, isLate: isLate, at: now)
        publishExtended(of: machine)
    }

    /// Continues with the frames that the last tick left; flushes when they are done.
    package func continueFrames(of machine: borrowing Machine, at now: Instant) {
        guard hasFramesToContinue else { return }
        publishMotions(of: machine, at: now)
        if grid.tick(of: now) > grid.tick(of: due.extended.instant) {
            // A stream that begins now gets the state of a later tick, so no frame of this tick may follow.
            due.extended.leaveOutRest()
        } else {
            publishExtended(of: machine)
        }
        if !hasFramesToContinue { flush(at: now) }
    }

    private func publishExtended(of machine: borrowing Machine) {
        let (readers, locales) = (readers, locales)
        extendedPass.run(&due.extended, of: machine.engine, topics, &extras, hub) { track, variant in
            guard let locale = locales[variant.locale] else { return track }
            return readers.track(track, in: locale)
        }
        frameCount += extendedPass.frames
        for slot in extendedPass.waiting { due.waiting.add(.track(slot)) }
        for left in extendedPass.left {
            publishFrame(
                ofTrack: left.slot, on: left.topic, left.variants, of: left.owner, due.extended.stamp,
                in: machine.engine, at: due.extended.instant)
        }
    }

    /// The work of making a topic's frames.
    private func work(for variants: VariantSet, on topic: TopicIndex) -> Int {
        let posted = variants.reduce(0) { $0 + $1.work }
        return variants.hasLocales ? hub.localised(watching: topic).reduce(posted) { $0 + $1.work } : posted
    }

    /// The work that a tick spends on frames of changed resources; the rest waits for the next tick.
    private static let dueWork = 4_000

    func publishDue(_ stamp: FrameStamp, of machine: borrowing Machine, at now: Instant) {
        var work = 0
        while work < Self.dueWork, let place = due.frames.next() {
            work += publish(place, stamp, of: machine, at: now)
            guard case .track(let slot) = place, let topic = topics.topic(ofTrack: slot) else { continue }
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
        switch place {
        case .schedule(let slot):
            guard let topic = topics.topic(ofSchedule: slot) else { return 0 }
            publishCountdown(slot, on: topic, stamp, in: machine.engine, at: now)
            return 1
        case .track(let slot):
            guard let topic = topics.topic(ofTrack: slot) else { return 0 }
            let variants = hub.variants(watching: topic)
            publishFrame(ofTrack: slot, on: topic, variants, stamp, in: machine.engine, at: now)
            return work(for: variants, on: topic)
        }
    }

    /// - Parameter owner: The owner of the forms in locales of readers; nil for all.
    private func publishFrame(
        ofTrack slot: Int, on topic: TopicIndex, _ variants: VariantSet, of owner: Int32? = nil, _ stamp: FrameStamp,
        in engine: borrowing Engine, at now: Instant
    ) {
        guard !variants.isEmpty, let track = engine.tracks[slot] else { return }
        var isShown = false
        if variants.hasLocales {
            isShown = publishLocalised(ofTrack: slot, on: topic, of: owner, stamp, in: engine, at: now)
        }
        let position = track.position(at: now)
        let share = track.share(of: position, at: now)
        text.removeAll(keepingCapacity: true)
        track.appendText(position, at: now, escaped: true, to: &text)
        let value = position.double
        let audience =
            variants.plain.isEmpty ? nil : topics.show(text, fraction: share?.fraction, value: value, on: topic)
        for variant in variants where !variant.isMotion || track.run == nil {
            extras.make(variant, of: track, showing: position, topic: topic, at: now)
            // Wheels turn and remaining time changes while the text stays the same.
            let shown = variant.isPlain ? audience : extras.show(text, fraction: share?.fraction, value: value)
            guard let audience = shown else { continue }
            isShown = true
            hub.publishFrame(topic, variant, for: audience) { bytes in
                appendFrame(
                    of: track, position, share, topic: topic, variant: variant, stamp, at: now, to: &bytes)
            }
        }
        frameCount += isShown ? 1 : 0
    }

    /// Appends a frame's payload; `text` holds the escaped text.
    func appendFrame(
        of track: Track, _ position: Position, _ share: ProgressShare?, topic: TopicIndex, variant: Variant,
        _ stamp: FrameStamp?, at now: Instant, to bytes: inout [UInt8]
    ) {
        if variant.isText {
            appendPlainText(of: track, position, at: now, to: &bytes)
            return
        }
        guard let prefix = topics.prefix(of: topic) else { return }
        FrameEncoder.append(
            prefix, value: position, fraction: share?.fraction, percent: share?.percent, escapedText: text,
            extras.members, stamp: variant.isStamped ? stamp : nil, to: &bytes)
    }

    /// Appends the payload of a frame that is text alone.
    private func appendPlainText(of track: Track, _ position: Position, at now: Instant, to bytes: inout [UInt8]) {
        let start = bytes.count
        track.appendText(position, at: now, escaped: false, to: &bytes)
        ControlCharacters.strip(&bytes, from: start)
    }

    private func publishCountdown(
        _ slot: Int, on topic: TopicIndex, _ stamp: FrameStamp, in engine: borrowing Engine, at now: Instant
    ) {
        let variants = hub.variants(watching: topic)
        guard !variants.isEmpty, let schedule = engine.schedules[slot] else { return }
        countdowns.follow(slot, at: now, in: engine)
        let shown = ScheduleEncoder.text(of: schedule, at: now)
        let isHeld = engine.isHeld(schedule)
        if variants.hasLocales {
            publishLocalised(schedule, slot: slot, on: topic, isHeld: isHeld, stamp, at: now)
        }
        guard let audience = topics.show(shown, fraction: nil, on: topic) else { return }
        frameCount += 1
        for variant in variants {
            // Motion subscribers of a countdown get its frames: there is only one a second.
            hub.publishFrame(topic, variant, for: audience) { bytes in
                appendCountdown(schedule, shown, isHeld: isHeld, variant: variant, stamp, at: now, to: &bytes)
            }
        }
    }

    func appendCountdown(
        _ schedule: Schedule, _ shown: [UInt8], isHeld: Bool, variant: Variant, _ stamp: FrameStamp?,
        at now: Instant, to bytes: inout [UInt8]
    ) {
        if variant.isText {
            bytes.append(contentsOf: ControlCharacters.stripped(shown))
        } else {
            ScheduleEncoder.appendFrame(
                schedule, text: shown, isHeld: isHeld, at: now, hasDisplay: variant.hasDisplay,
                stamp: variant.isStamped ? stamp : nil, to: &bytes)
        }
    }

    /// Publishes changed motions to clients that interpolate themselves, a portion of about a millisecond.
    func publishMotions(of machine: borrowing Machine, at now: Instant) {
        var work = 0
        while work < Self.motionWork, case .track(let slot)? = due.motions.next() {
            // A motion that ended in the meantime has had its final frame.
            guard let topic = topics.topic(ofTrack: slot), let track = machine.engine.tracks[slot],
                track.run != nil, wantsMotions(of: topic)
            else {
                work += 1
                continue
            }
            let bytes = publishMotion(of: track, slot: slot, on: topic, at: now)
            work += 1 + bytes / Self.motionBytesOfWork
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
        guard let name = topics.name(of: topic), let slot = engine.slot(of: name) else { return .frame }
        if variant.isMotion, name.kind != .schedule, let track = engine.tracks[slot], track.run != nil {
            guard let shown = shown(track, in: variant) else {
                due.waiting.add(.track(slot))
                return .motion
            }
            bytes.append(contentsOf: MotionEncoder.payload(of: shown, at: now))
            return .motion
        }
        if name.kind == .schedule {
            guard let posted = engine.schedules[slot] else { return .frame }
            guard let schedule = shown(posted, in: variant) else {
                extras.lapse(topic, variant)
                due.waiting.add(.schedule(slot))
                return .frame
            }
            let shown = ScheduleEncoder.text(of: schedule, at: now)
            appendCountdown(
                schedule, shown, isHeld: engine.isHeld(schedule), variant: variant, stamp(at: now), at: now, to: &bytes)
            extras.clear(variant, topic: topic)
            return begin(shown, fraction: nil, value: nil, variant, on: topic, of: .schedule(slot))
        } else if let posted = engine.tracks[slot] {
            guard let track = shown(posted, in: variant) else {
                // Other readers in this locale may have seen the same state, but this one has not.
                extras.lapse(topic, variant)
                due.waiting.add(.track(slot))
                return .frame
            }
            let position = track.position(at: now)
            let share = track.share(of: position, at: now)
            text.removeAll(keepingCapacity: true)
            track.appendText(position, at: now, escaped: true, to: &text)
            extras.make(variant, of: track, showing: position, topic: topic, at: now)
            appendFrame(
                of: track, position, share, topic: topic, variant: variant, stamp(at: now), at: now, to: &bytes)
            return begin(
                text, fraction: share?.fraction, value: position.double, variant, on: topic, of: .track(slot))
        }
        return .frame
    }

    /// Records the state that a new stream's snapshot shows; `extras` holds its members.
    private func begin(
        _ text: [UInt8], fraction: Double?, value: Double?, _ variant: Variant, on topic: TopicIndex,
        of place: DueFrames.Place
    ) -> Hub.Snapshot {
        let isDue = due.frames.contains(place)
        let isCountdown = topics.name(of: topic)?.kind == .schedule
        let isGreeted =
            variant.isPlain || isCountdown && variant.locale == 0
            ? topics.begin(text, fraction: fraction, value: value, on: topic, isDue: isDue)
            : extras.begin(text, fraction: fraction, value: value, isDue: isDue)
        return isGreeted ? .greetedFrame : .frame
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
        var bytes: [UInt8] = []
        let position = track.position(at: now)
        text.removeAll(keepingCapacity: true)
        track.appendText(position, at: now, escaped: true, to: &text)
        guard !variant.isText else {
            appendPlainText(of: track, position, at: now, to: &bytes)
            return bytes
        }
        extras.make(variant, of: track, showing: position, topic: nil, at: now)
        let share = track.share(of: position, at: now)
        FrameEncoder.append(
            FramePrefix(track.name), value: position, fraction: share?.fraction, percent: share?.percent,
            escapedText: text, extras.members,
            stamp: variant.isStamped ? stamp(at: now) : nil, to: &bytes)
        return bytes
    }
}
