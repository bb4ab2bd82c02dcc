// Streams: what each gets first, and which topics it watches.

package import Base
package import Board
package import EventStream
package import Machine
package import Tween
import Wire

extension Publisher {
    /// Subscribes a stream whose place is ours.
    package func open(_ opening: OpenedStream, _ key: StreamID, of machine: inout Machine, at now: Instant) {
        let request = opening.request
        // What was kept back goes out before, so that the greeting needn't wait.
        if hub.isHeld { flush(at: now) }
        guard let parts = parts(of: request) else { return refuse(opening, key, at: now) }
        let prelude = opening.start.map {
            self.opening(of: $0.at, on: $0.on, parts.variant, in: machine.engine, at: now)
        }
        let preludeText = prelude?.isEmpty ?? true ? nil : text
        var subscription = Subscription(
            key: key, parts: parts, owner: request.owner, terms: request.terms, endsWithTopic: request.endsWithTopic,
            name: request.name, lastEventID: request.lastEventID, after: opening.start?.at.after,
            prelude: prelude ?? [], retryMilliseconds: lifecycle.retryDelay(), isGreeted: opening.isGreeted,
            origin: request.origin)
        subscription.isLines = request.isLines
        let found = subscribe(
            subscription, hello: hello(request, at: now), behind: preludeText, in: machine.engine, at: now)
        if lifecycle.isDraining { hub.end(key, with: lifecycle.bye("draining", at: now), because: .draining) }
        if request.isSelfTest { lifecycle.selfTests.begin(key, at: now) }
        if let permit = request.permit {
            lifecycle.permits.add(permit, of: key)
            // It may have been revoked on the way here, before there was a stream to be ended.
            if !permit.isHonoured { end(key, .revoked, at: now) }
        }
        follow(found, of: &machine, at: now)
    }

    // The engine of the two functions below is not `borrowing`, which closures can't capture; it isn't copied either.

    /// - Parameter prelude: The text of a frame that was shown already: no second one shows it.
    /// - Returns: Resources that the stream has begun to watch.
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

    /// What a stream is to hear, in its locale; nil without room for the locale.
    func parts(of request: StreamRequest) -> StreamParts? {
        guard let locale = request.locale else { return request.parts }
        guard let number = locales.add(locale, of: request.owner) else { return nil }
        readers.setLocales(locales.inUse)
        return request.parts.inLocale(number)
    }

    /// A stream of an owner is no longer read in a locale.
    func leaveLocale(_ number: UInt8, of owner: String?) {
        guard number > 0 else { return }
        locales.remove(number, of: owner)
        readers.setLocales(locales.inUse)
    }

    /// Ends a stream for whose locale there is no room: it came beside others whose requests were taken.
    private func refuse(_ opening: OpenedStream, _ key: StreamID, at now: Instant) {
        var nothing = Subscription(
            key: key, parts: StreamParts(TopicSelection([]), .json), lastEventID: opening.request.lastEventID,
            after: opening.start?.at.after, retryMilliseconds: retryDelayOfRefused(at: now),
            isGreeted: opening.isGreeted,
            origin: opening.request.origin)
        nothing.isLines = opening.request.isLines
        hub.subscribe(nothing, hello: hello(opening.request, at: now)) { _, _, _ in .frame }
        end(key, .locales, at: now)
    }

    /// Goes on with a stream that has taken what it was told so far: what it missed, and the states of many topics.
    package func greet(_ key: StreamID, of machine: inout Machine, at now: Instant) {
        let found = goOn(with: key, in: machine.engine, at: now)
        follow(found, of: &machine, at: now)
    }

    /// - Returns: Resources that the stream has begun to watch.
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

    /// Looks after resources that a stream has begun to watch.
    func follow(_ names: [ResourceName], of machine: inout Machine, at now: Instant) {
        followSubscribers(of: &machine, at: now)
        // Also where others watched already: this one may be the first to see the time left.
        for name in names where name.kind == .progress {
            guard let slot = machine.engine.slot(of: name) else { continue }
            followPace(of: name, slot: slot, at: now, in: machine.engine)
        }
    }

    func appendState(
        of topic: TopicIndex, variant: Variant, in engine: borrowing Engine, at now: Instant, to bytes: inout [UInt8]
    ) -> Hub.Snapshot {
        // At the last tick: some of its frames may be still to come, and are never older than the state a stream begins with.
        // What has changed since then is shown as of now, and so are countdowns, which may have begun since.
        let tick = grid.tickInstant(before: now)
        var instant = now
        if let name = topics.name(of: topic), let track = engine.track(name), track.touched <= tick { instant = tick }
        return appendSnapshot(of: topic, variant: variant, in: engine, at: instant, to: &bytes)
    }

    /// A stream has gone.
    /// - Returns: What it was; nil where it was not known.
    @discardableResult
    package func close(_ key: StreamID, of machine: inout Machine, at now: Instant) -> ClosedStream? {
        let closed = hub.origin(of: key).map {
            ClosedStream(origin: $0, holder: permit(of: key)?.holder, topics: hub.subscription(of: key)?.topics ?? 0)
        }
        leaveLocale(hub.locale(of: key) ?? 0, of: hub.owner(of: key))
        hub.unsubscribe(key)
        lifecycle.selfTests.end(key)
        lifecycle.permits.remove(key)
        followSubscribers(of: &machine, at: now)
        return closed
    }

    /// Ends all streams, each with a delay of its own to come back after.
    /// - Parameter shuffle: The order in which they go: no client's place in it is its own doing.
    package func drain(_ shuffle: ([StreamID]) -> [StreamID], at now: Instant) {
        lifecycle.isDraining = true
        lifecycle.drainSchedule.begin(shuffle(hub.streamKeys), within: configuration.drainTimeout, from: now)
        sendBye(at: now)
    }

    /// Whether all streams are told to go.
    package var isDraining: Bool { lifecycle.isDraining }

    /// Milliseconds after which a client should come back that was not let in: where it found no room, longer than after a
    /// mere disconnect.
    package func retryDelayOfRefused(at now: Instant) -> Int {
        isDraining ? lifecycle.retryDelay(whileDrainingAt: now) : lifecycle.retryDelay() * Self.patience
    }

    private static let patience = 10

    /// What somebody who heard a resource knows of its end, now that it isn't there.
    package func parting(from name: ResourceName, after lastEventID: String?) -> Hub.Parting {
        hub.parting(from: TopicName(name), after: lastEventID)
    }

    /// What a stream was let in by; nil for one of whom nothing was asked.
    package func permit(of key: StreamID) -> (any StreamPermit)? { lifecycle.permits[key] }

    /// Ends streams whose tokens were revoked, or allow less than they did.
    package func reviewPermits(at now: Instant) {
        for key in lifecycle.permits.revoked() { end(key, .revoked, at: now) }
    }

    func sendBye(at now: Instant) {
        for key in lifecycle.permits.takeExpired(at: now) { end(key, .expired, at: now) }
        for key in lifecycle.drainSchedule.take(at: now) { end(key, .draining, at: now) }
    }

    func end(_ key: StreamID, _ reason: StreamEndReason, at now: Instant) {
        hub.end(key, with: lifecycle.bye(reason.rawValue, at: now), because: reason)
        hasUnsent = true
    }

    // MARK: - Topics

    /// Makes topics of the resources that a selection names, of those alone that exist, from a place on and of so many at
    /// most.
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
        let topicName = TopicName(kind: .resource(name.kind), id: name.id)
        let topic = isListed ? hub.listedTopic(topicName) : hub.topic(topicName)
        // Who named it before it was there is told of only now that there is somebody to tell.
        if topics.bind(topic, to: name, slot: slot) { hub.renewWatch(topic) }
        return topic
    }

    /// Binds a resource to its topic where somebody listens for it: also for one that came just now.
    func attachIfWanted(_ topic: TopicName, in engine: borrowing Engine) {
        guard let kind = topic.kind.resource, hub.isWanted(topic) else { return }
        attach(ResourceName(kind, topic.id), in: engine)
    }

    /// Unbinds a resource that has gone; whoever named it keeps listening for one of that name.
    func detach(_ name: ResourceName) {
        guard let topic = hub.index(of: TopicName(kind: .resource(name.kind), id: name.id)) else { return }
        topics.unbind(topic)
        extras.forget(topic)
        hub.release(topic)
    }

    /// The most topics that are looked after in one turn when they came to be watched or ceased to be: a stream of many
    /// topics delays nobody.
    private static let watchChangesPerTurn = 500

    /// Tells the board which resources came to be watched or ceased to be.
    package func followSubscribers(of machine: inout Machine, at now: Instant) {
        for topic in hub.takeVariantLosses() {
            let variants = hub.variants(watching: topic)
            extras.keep(variants, and: hub.localised(watching: topic), of: topic)
            if variants.plain.isEmpty { topics.lapse(topic) }
        }
        let changes = hub.takeWatchChanges(most: Self.watchChangesPerTurn)
        // The rest's turn is at the next tick.
        if hub.hasWatchChanges { hasUnsent = true }
        for topic in changes {
            let isWatched = !hub.variants(watching: topic).isEmpty
            // A topic's entry goes with its resource.
            guard let entry = topics.entry(of: topic) else {
                if !isWatched { hub.release(topic) }
                continue
            }
            if entry.name.kind == .schedule {
                countdowns.setWatched(isWatched, slot: entry.slot, at: now, in: machine.engine)
            } else {
                machine.setWatched(isWatched, slot: entry.slot, at: now)
            }
            guard !isWatched else { continue }
            topics.unbind(topic)
            extras.forget(topic)
            hub.release(topic)
        }
    }

    /// Has a changed resource's frame sent at the next tick, though nothing may move.
    func show(_ name: ResourceName, of machine: borrowing Machine, at now: Instant) {
        // Of a ticker that nobody watches nothing changes by time alone, so there is nothing to follow.
        guard name.kind != .ticker || hub.isWanted(TopicName(name)) else { return }
        guard let slot = machine.engine.slot(of: name) else { return }
        attachIfWanted(TopicName(name), in: machine.engine)
        if name.kind == .schedule { countdowns.follow(slot, at: now, in: machine.engine) }
        if name.kind == .progress { followPace(of: name, slot: slot, at: now, in: machine.engine) }
        if isWatched(name) { due.frames.add(DueFrames.Place(name.kind, slot: slot)) }
    }

    /// Has a progress looked at again later where time alone changes what it shows.
    func followPace(of name: ResourceName, slot: Int, at now: Instant, in engine: borrowing Engine) {
        let topic = hub.index(of: TopicName(kind: .progress, id: name.id))
        let variants = topic.map { hub.variants(watching: $0) } ?? VariantSet()
        let localised = topic.map { hub.localised(watching: $0) } ?? []
        paceFrames.follow(
            slot, showsDisplay: variants.contains(where: \.hasDisplay) || localised.contains(where: \.hasDisplay),
            isWatched: !variants.isEmpty, at: now, in: engine)
    }

    /// Whether frames of a resource go anywhere.
    private func isWatched(_ name: ResourceName) -> Bool {
        guard let topic = hub.index(of: TopicName(kind: .resource(name.kind), id: name.id)) else { return false }
        return !hub.variants(watching: topic).isEmpty
    }

    private func hello(_ request: StreamRequest, at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("epoch", hub.epoch)
            $0.member("tickRate", configuration.tickRate)
            $0.member("heartbeat", request.heartbeatSeconds.map(Double.init) ?? configuration.heartbeat)
            $0.member("fps", min(request.framesPerSecond ?? .infinity, Double(configuration.tickRate)))
            $0.member("now", Timestamp.text(now))
            $0.member("version", configuration.version)
            if configuration.isReadOnly { $0.member("readOnly", true) }
            if let name = request.name { $0.member("stream", name.text) }
        }
        return json.bytes
    }
}
