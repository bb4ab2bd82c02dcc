// Pages of what there is, from indexes in order: a page costs what it holds, however much else there is.

package import Base

extension Engine {
    /// The first names of a kind that begin alike, by id.
    /// - Parameters:
    ///   - prefix: What their ids begin with; empty takes all.
    ///   - id: They come behind it; it need not be on the board.
    package func names(
        of kind: ResourceKind, beginningWith prefix: String, after id: String? = nil, limit: Int
    ) -> [ResourceName] {
        nameIndex.ids(of: kind, beginningWith: prefix, after: id, limit: limit).map { ResourceName(kind, $0) }
    }

    /// How many resources there are of a kind.
    package func count(of kind: ResourceKind) -> Int { nameIndex.count(of: kind) }

    /// The names of all resources of a kind, by id.
    package func names(of kind: ResourceKind) -> [ResourceName] {
        names(of: kind, beginningWith: "", limit: .max)
    }

    /// The first tracks of a kind by id.
    /// - Parameter id: The page begins behind it; it need not be on the board.
    package func tracks(_ kind: ResourceKind, after id: String?, limit: Int) -> [Track] {
        names(of: kind, beginningWith: "", after: id, limit: limit).compactMap { track($0) }
    }

    /// The first schedules by their places.
    /// - Parameter place: The page begins behind it.
    package func schedules(after place: SchedulePlace?, limit: Int) -> [Schedule] {
        schedulePlaces.elements(limit, from: place).compactMap { schedule(ResourceName(.schedule, $0.id)) }
    }
}
