// Streams: their first events, and their topics.

package import Base
package import Board
package import EventStream
package import Machine
package import Tween
import Wire

extension Publisher {
    /// Subscribes a stream to its topics and greets it.
    package func open(_ opening: OpenedStream, _ key: StreamID, of machine: inout Machine, at now: Instant) {
        let request = opening.request
        // Events that were held are sent first, so that the greeting needn't wait.
        if hub.isHeld { flush(at: now) }
        guard let parts = parts(of: request) else { return refuse(opening, key, at: now) }
        let prelude = opening.start.map { self.opening(of: $0, parts.variant, in: machine.engine, at: now) }
        let preludeText = prelude?.isEmpty ?? true ? nil : text
        var subscription = Subscription(
            key: key, parts: parts, owner: request.owner, terms: request.terms, endsWithTopic: request.endsWithTopic,
            name: request.name, lastEventID: request.lastEventID, after: opening.start?.after,
            prelude: prelude ?? [], retryMilliseconds: lifecycle.retryDelay(), isGreeted: opening.isGreeted,
            origin: request.origin)
        subscription.encoding = request.encoding
        if let start = opening.start {
            subscription.goal = start.goal
            subscription.endsWhenCaughtUp = isOver(start, in: machine)
        }
        let found = subscribe(
            subscription, hello: hello(request, at: now), behind: preludeText, in: machine.engine, at: now)
        if lifecycle.isDraining { end(key, .draining, at: now) }
        if request.isSelfTest { lifecycle.selfTests.begin(key, at: now) }
        if let permit = request.permit {
            lifecycle.permits.add(permit, of: key)
            // The permit may have been revoked before there was a stream to end.
            if !permit.isHonoured { end(key, .revoked, at: now) }
        }
        if endsAtRest(request, found, in: machine.engine) {
            hub.end(key, with: [], because: .completed)
            hasUnsent = true
        }
        track(found, of: &machine, at: now)
    }

    /// Whether what a change has started is over, so that no event that is still to come ends the stream that answers it.
    private func isOver(_ start: StreamStart, in machine: borrowing Machine) -> Bool {
        switch start.goal {
        case .rest: return true
        case .motion(let number):
            // The event with which another stream ended may no longer be kept. It is still to come while motions that no
            // frame showed are counted.
            guard start.isAgain, !machine.hasCompletionGroups, let track = machine.engine.track(start.name) else {
                return false
            }
            return track.run?.animation != number && !track.waiting.contains { $0.animation == number }
        case .firing:
            guard start.isAgain else { return false }
            return machine.engine.schedule(start.name)?.isEnded ?? true
        }
    }

    /// Whether a stream has shown all that it was opened for: all its topics are at rest.
    private func endsAtRest(_ request: StreamRequest, _ found: [ResourceName], in engine: borrowing Engine) -> Bool {
        guard request.terms.once, request.encoding?.endsAtRest ?? request.parts.hasTexts,
            !found.isEmpty || request.selection.patterns.allSatisfy(\.isPrefix)
        else { return false }
        for name in found {
            guard name.kind != .schedule, let slot = engine.slot(of: name), let track = engine.tracks[slot],
                track.run == nil, track.waiting.isEmpty
            else { return false }
        }
        return true
    }

    // The engine of these functions is not `borrowing`, because closures can't capture borrowed values; it isn't copied either.

    /// - Parameter prelude: The text of a frame that was already sent. A plain frame of the same text isn't repeated.
    /// - Returns: Resources that the stream has started to watch.
    private func subscribe(
        _ subscription: Subscription, hello: [UInt8], behind prelude: [UInt8]?, in engine: Engine,
        at now: Instant
    ) -> [ResourceName] {
        var found: [ResourceName] = []
        hub.subscribe(
            subscription, hello: hello, rewrite: { rewritten($0, on: $1, $2, in: engine, at: now) },
            existing: { attach($0, from: &$1, most: $2, &found, in: engine) }
        ) {
            topic, variant, bytes in
            let kind = appendState(of: topic, variant: variant, in: engine, at: now, to: &bytes)
            if kind == .frame, text == prelude { bytes.removeAll() }
            return kind
        }
        return found
    }

    /// Returns a stream's topics in its locale; nil without room for the locale.
    func parts(of request: StreamRequest) -> StreamParts? {
        guard let locale = request.locale else { return request.parts }
        guard let number = locales.add(locale, of: request.owner) else { return nil }
        readers.setLocales(locales.inUse)
        return request.parts.inLocale(number)
    }

    /// Releases the locale of an owner's stream.
    func releaseLocale(_ number: UInt8, of owner: String?) {
        guard number > 0 else { return }
        locales.remove(number, of: owner)
        readers.setLocales(locales.inUse)
    }

    /// Ends a stream for whose locale there is no room because others arrived first.
    private func refuse(_ opening: OpenedStream, _ key: StreamID, at now: Instant) {
        var nothing = Subscription(
            key: key, parts: StreamParts(TopicSelection([]), .json), lastEventID: opening.request.lastEventID,
            after: opening.start?.after, retryMilliseconds: retryDelayOfRefused(at: now),
            isGreeted: opening.isGreeted,
            origin: opening.request.origin)
        nothing.encoding = opening.request.encoding
        hub.subscribe(nothing, hello: hello(opening.request, at: now)) { _, _, _ in .frame }
        end(key, .locales, at: now)
    }

    /// Continues the greeting of a stream that has sent a portion: missed events, and states of further topics.
    package func greet(_ key: StreamID, of machine: inout Machine, at now: Instant) {
        let found = goOn(with: key, in: machine.engine, at: now)
        track(found, of: &machine, at: now)
    }

    /// - Returns: Resources that the stream has started to watch.
    private func goOn(with key: StreamID, in engine: Engine, at now: Instant) -> [ResourceName] {
        var found: [ResourceName] = []
        hub.continueGreeting(
            key, rewrite: { rewritten($0, on: $1, $2, in: engine, at: now) },
            existing: { attach($0, from: &$1, most: $2, &found, in: engine) }
        ) {
            appendState(of: $0, variant: $1, in: engine, at: now, to: &$2)
        }
        return found
    }

    /// Registers resources that a stream has started to watch.
    func track(_ names: [ResourceName], of machine: inout Machine, at now: Instant) {
        trackSubscribers(of: &machine, at: now)
        // Even if others watch already, this may be the first to see the remaining time.
        for name in names where name.kind == .progress {
            guard let slot = machine.engine.slot(of: name) else { continue }
            trackPace(of: name, slot: slot, at: now, in: machine.engine)
        }
    }

    func appendState(
        of topic: TopicIndex, variant: Variant, in engine: borrowing Engine, at now: Instant, to bytes: inout [UInt8]
    ) -> Hub.Snapshot {
        // The state of the last tick: some of its frames may still follow, and must not be older than the snapshot.
        // Resources that have changed since are shown as of now; so are countdowns, which may have begun since.
        let tick = grid.tickInstant(atOrBefore: now)
        var instant = now
        // Looked at in place: a track has many references.
        if case .track(let slot)? = place(of: topic), let touched = engine.tracks[slot]?.touched, touched <= tick {
            instant = tick
        }
        stateWork += variant.work * (variant.isPlain ? 1 : FrameForm.workFromTrack)
        return appendSnapshot(of: topic, variant: variant, in: engine, at: instant, to: &bytes)
    }

    /// Removes a stream that has ended.
    /// - Returns: What the stream was; nil if it was unknown.
    @discardableResult
    package func close(_ key: StreamID, of machine: inout Machine, at now: Instant) -> ClosedStream? {
        let closed = hub.origin(of: key).map {
            ClosedStream(origin: $0, holder: permit(of: key)?.holder, topics: hub.subscription(of: key)?.topics ?? 0)
        }
        releaseLocale(hub.locale(of: key) ?? 0, of: hub.owner(of: key))
        hub.unsubscribe(key)
        lifecycle.selfTests.end(key)
        lifecycle.permits.remove(key)
        trackSubscribers(of: &machine, at: now)
        return closed
    }

    /// Ends all streams, each with its own delay for reconnecting.
    /// - Parameter shuffle: Determines the order, so that no client can choose its place in it.
    package func drain(_ shuffle: ([StreamID]) -> [StreamID], at now: Instant) {
        lifecycle.isDraining = true
        lifecycle.drainSchedule.begin(shuffle(hub.streamKeys), within: configuration.drainTimeout, from: now)
        sendBye(at: now)
    }

    /// Whether all streams are being ended.
    package var isDraining: Bool { lifecycle.isDraining }

    /// Returns the milliseconds after which a rejected client should retry. Without room it is longer than after a mere
    /// disconnect.
    package func retryDelayOfRefused(hasNoRoom: Bool = true, at now: Instant) -> Int {
        isDraining
            ? lifecycle.retryDelay(whileDrainingAt: now)
            : lifecycle.retryDelay() * (hasNoRoom ? Self.refusalFactor : 1)
    }

    private static let refusalFactor = 10

    /// Returns what a former subscriber of a removed resource knows of its end.
    package func parting(from name: ResourceName, after lastEventID: String?) -> Hub.Parting {
        hub.parting(from: TopicName(name), after: lastEventID)
    }

    /// Returns a stream's permit; nil if it needed none.
    package func permit(of key: StreamID) -> (any StreamPermit)? { lifecycle.permits[key] }

    /// Ends streams whose tokens were revoked or have lost rights.
    package func reviewPermits(at now: Instant) {
        for key in lifecycle.permits.revoked() { end(key, .revoked, at: now) }
    }

    func sendBye(at now: Instant) {
        for key in lifecycle.permits.removeExpired(at: now) { end(key, .expired, at: now) }
        for key in lifecycle.drainSchedule.dequeue(at: now) { end(key, .draining, at: now) }
    }

    func end(_ key: StreamID, _ reason: StreamEndReason, at now: Instant) {
        hub.end(key, with: lifecycle.bye(reason.rawValue, at: now), because: reason)
        hasUnsent = true
    }

    // MARK: - Topics

    /// Creates topics for those of a selection's resources that exist, from a place on, up to `most`.
    func attach(
        _ selection: TopicSelection, from place: inout SelectionPlace?, most: Int, _ names: inout [ResourceName],
        in engine: borrowing Engine
    ) -> [TopicIndex] {
        guard var current = place else { return [] }
        var found: [TopicIndex] = []
        while current.pattern < selection.patterns.count, found.count < most {
            let pattern = selection.patterns[current.pattern]
            let room = most - found.count
            let named = resources(named: pattern, after: current.after, most: room, in: engine)
            for name in named {
                guard let topic = attach(name, isListed: true, in: engine) else { continue }
                found.append(topic)
                names.append(name)
            }
            if pattern.isPrefix, named.count == room {
                current.after = named.last?.id
            } else {
                current = SelectionPlace(pattern: current.pattern + 1)
            }
        }
        place = current.pattern < selection.patterns.count ? current : nil
        return found
    }

    private func resources(
        named pattern: TopicPattern, after id: String?, most: Int, in engine: borrowing Engine
    ) -> [ResourceName] {
        guard let kind = pattern.kind.resource else { return [] }
        guard pattern.isPrefix else { return [ResourceName(kind, pattern.text)] }
        return engine.names(of: kind, beginningWith: pattern.text, after: id, limit: most)
    }

    @discardableResult
    func attach(
        _ name: ResourceName, isListed: Bool = false, in engine: borrowing Engine
    ) -> TopicIndex? {
        guard let slot = engine.slot(of: name) else { return nil }
        let topic = isListed ? hub.listedTopic(TopicName(name)) : hub.topic(TopicName(name))
        if hub.bind(topic, to: slot) { frames.begin(topic, as: name) }
        return topic
    }

    /// Binds a resource to its topic if it has subscribers, even if it was only just created.
    func attachIfWanted(_ topic: TopicName, in engine: borrowing Engine) {
        guard let kind = topic.kind.resource, hub.isWanted(topic) else { return }
        attach(ResourceName(kind, topic.id), in: engine)
    }

    /// Unbinds a removed resource; its subscribers stay subscribed to the name.
    func detach(_ name: ResourceName) {
        if let topic = hub.index(of: TopicName(name)) { release(topic) }
    }

    func release(_ topic: TopicIndex) {
        frames.forget(topic)
        hub.release(topic)
    }

    /// Returns where a topic's resource is on the board; nil while there is none.
    func place(of topic: TopicIndex) -> DueFrames.Place? {
        guard let slot = hub.slot(of: topic), let kind = hub.name(of: topic).kind.resource else { return nil }
        return DueFrames.Place(kind, slot: slot)
    }

    func topic(at place: DueFrames.Place) -> TopicIndex? {
        switch place {
        case .track(let slot): hub.topicsOfTracks.topic(at: slot)
        case .schedule(let slot): hub.topicsOfSchedules.topic(at: slot)
        }
    }

    /// The maximum number of topics in one turn whose subscribers appeared or disappeared, so that a stream of many topics
    /// delays nothing.
    private static let watchChangesPerTurn = 500

    /// Tells the board which resources have gained their first or lost their last subscriber.
    package func trackSubscribers(of machine: inout Machine, at now: Instant) {
        for topic in hub.drainVariantLosses() {
            guard hub.slot(of: topic) != nil else { continue }
            frames.topics[Int(topic.rawValue)].keep(hub.variants(watching: topic), hub.allVariants(watching: topic))
        }
        let changes = hub.drainWatchChanges(most: Self.watchChangesPerTurn)
        // The others follow at the next tick.
        if hub.hasWatchChanges { hasUnsent = true }
        for topic in changes {
            let isWatched = !hub.variants(watching: topic).isEmpty
            switch place(of: topic) {
            case .schedule(let slot)?: countdowns.setWatched(isWatched, slot: slot, at: now, in: machine.engine)
            case .track(let slot)?: machine.setWatched(isWatched, slot: slot, at: now)
            case nil: break
            }
            if !isWatched { release(topic) }
        }
    }

    /// Queues a changed resource's frame for the next tick, whether it moves or not.
    func show(_ name: ResourceName, of machine: borrowing Machine, at now: Instant) {
        // A ticker without subscribers does not change with time alone, so it needs no timer.
        guard name.kind != .ticker || hub.isWanted(TopicName(name)) else { return }
        guard let slot = machine.engine.slot(of: name) else { return }
        attachIfWanted(TopicName(name), in: machine.engine)
        if name.kind == .schedule { countdowns.track(slot, at: now, in: machine.engine) }
        if name.kind == .progress { trackPace(of: name, slot: slot, at: now, in: machine.engine) }
        if isWatched(name) { due.frames.add(DueFrames.Place(name.kind, slot: slot)) }
    }

    /// Schedules the next frame of a progress whose label changes with time alone.
    func trackPace(of name: ResourceName, slot: Int, at now: Instant, in engine: borrowing Engine) {
        let variants = hub.index(of: TopicName(name)).map { hub.allVariants(watching: $0) }
        paceFrames.track(
            slot, showsDisplay: variants?.contains(where: \.hasDisplay) ?? false, isWatched: isWatched(name), at: now,
            in: engine)
    }

    /// Whether a resource has subscribers to its frames.
    private func isWatched(_ name: ResourceName) -> Bool {
        hub.index(of: TopicName(name)).map { !hub.variants(watching: $0).isEmpty } ?? false
    }

    /// Bytes of the payload of `hello`.
    private static let usualHello = 224

    private func hello(_ request: StreamRequest, at now: Instant) -> [UInt8] {
        var json = JSONWriter(capacity: Self.usualHello)
        json.object {
            $0.member("epoch", hub.epoch)
            $0.member("tickRate", configuration.tickRate)
            $0.member("heartbeat", request.terms.heartbeatSeconds.map(Double.init) ?? configuration.heartbeat)
            $0.member("fps", min(request.terms.framesPerSecond ?? .infinity, Double(configuration.tickRate)))
            $0.member("now", date: now)
            $0.member("version", configuration.version)
            if configuration.isReadOnly { $0.member("readOnly", true) }
            if let name = request.name { $0.member("stream", name.text) }
        }
        return json.bytes
    }
}
