// Who is told what happens. Observers are held by their tokens alone, so that none is left behind.

/// Keeps an observer: it is told until this is gone or ``end()`` is called.
@MainActor
public final class ScheduleObservation {
    private var observer: AnyObject?

    init(_ observer: AnyObject) { self.observer = observer }

    /// Tells it no more.
    public func end() { observer = nil }
}

/// Observers in the order in which they came.
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

    func tell(_ event: Event) {
        // One that ends while others are told is told no more; one that comes hears the next event.
        for place in places { place.observer?.observe(event) }
    }
}
