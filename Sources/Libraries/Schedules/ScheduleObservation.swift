// Observers of schedules. Only their tokens keep them, so dropping a token is enough.

/// Keeps an observer, which receives events until this token is released or ``end()`` is called.
@MainActor
public final class ScheduleObservation {
    private var observer: AnyObject?

    init(_ observer: AnyObject) { self.observer = observer }

    /// Stops the events.
    public func end() { observer = nil }
}

/// Observers in the order they were added.
@MainActor
final class Observers<Event: Sendable> {
    private final class Observer {
        let observe: @MainActor (Event) -> Void

        init(_ observe: @escaping @MainActor (Event) -> Void) { self.observe = observe }
    }

    private struct Place {
        weak var observer: Observer?
    }

    private var places: [Place] = []

    func add(_ observe: @escaping @MainActor (Event) -> Void) -> ScheduleObservation {
        places.removeAll { $0.observer == nil }
        let observer = Observer(observe)
        places.append(Place(observer: observer))
        return ScheduleObservation(observer)
    }

    func report(_ event: Event) {
        // An observer that ends during this loop receives no more; one added during it receives the next event.
        for place in places { place.observer?.observe(event) }
    }
}
