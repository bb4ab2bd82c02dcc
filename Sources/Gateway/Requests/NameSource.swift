// Ids for resources that the server names.

import Synchronization

/// Makes ids that are new on this server, also after a restart: a random part chosen at start, then a count.
package final class NameSource: Sendable {
    private let epoch = String(UInt32.random(in: .min ... .max), radix: 36)
    private let count = Atomic<UInt64>(0)

    package init() {}

    /// - Parameter prefix: Tells the kinds apart.
    package func next(_ prefix: String) -> String {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        return "\(prefix)-\(epoch)-\(number)"
    }
}
