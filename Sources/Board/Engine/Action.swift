// What a completion (`then`) or a schedule (`do`) sets off. Decoded and validated; performed by the engine.

/// One action.
package enum Action: Hashable, Sendable {
    /// An update of a ticker or a progress.
    case update(ResourceName, TrackUpdate)
    /// An event for those who listen to `name`; `data` is JSON.
    case notify(name: String, data: [UInt8]?)
    /// A POST of `data` (JSON) to `url`, carried out by the service.
    case webhook(url: String, data: [UInt8]?)
}

/// Actions in their order, and the JSON they were decoded from, which is what is stored and shown.
package struct ActionList: Hashable, Sendable {
    /// The most actions of one list.
    package static let maximumCount = 32
    /// How deep `then` may hold updates with a `then` of their own.
    package static let maximumDepth = 8

    package let actions: [Action]
    package let source: [UInt8]
    /// About how many bytes it takes up.
    let footprint: Int

    package init(actions: [Action], source: [UInt8]) {
        self.actions = actions
        self.source = source
        footprint = Footprint.block(source.count) + Self.footprint(of: actions)
    }
}
