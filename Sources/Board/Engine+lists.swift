// Pages of what there is. A look at every name or due date, but only the page itself is put in order.

extension Engine {
    /// The first names of a kind that begin alike, by id.
    /// - Parameters:
    ///   - prefix: What their ids begin with; empty takes all.
    ///   - id: They come behind it; it need not be on the board.
    package func names(
        of kind: ResourceKind, beginningWith prefix: String, after id: String? = nil, limit: Int
    ) -> [ResourceName] {
        var page = LeastElements<String>(limit)
        for name in slots.keys where name.kind == kind && name.id.hasPrefix(prefix) {
            if let id, name.id <= id { continue }
            page.offer(name.id)
        }
        return page.take().map { ResourceName(kind, $0) }
    }

    /// The first tracks of a kind by id.
    /// - Parameter id: The page begins behind it; it need not be on the board.
    package func tracks(_ kind: ResourceKind, after id: String?, limit: Int) -> [Track] {
        var page = LeastElements<String>(limit)
        for name in slots.keys where name.kind == kind {
            if let id, name.id <= id { continue }
            page.offer(name.id)
        }
        return page.take().compactMap { track(ResourceName(kind, $0)) }
    }

    /// The first schedules by their places.
    /// - Parameter place: The page begins behind it.
    package func schedules(after place: SchedulePlace?, limit: Int) -> [Schedule] {
        var page = LeastElements<SchedulePlace>(limit)
        for slot in schedules.indices {
            guard let schedule = schedules[slot] else { continue }
            let candidate = SchedulePlace(schedule)
            if let place, candidate <= place { continue }
            page.offer(candidate)
        }
        return page.take().compactMap { schedule(ResourceName(.schedule, $0.id)) }
    }
}
