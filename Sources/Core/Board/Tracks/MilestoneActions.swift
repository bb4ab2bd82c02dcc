// The actions of milestones, with the JSON that they were decoded from.

package import Labels

/// What runs when a number crosses its milestones.
package struct MilestoneActions: Hashable, Sendable {
    /// The actions of one milestone.
    package struct Entry: Hashable, Sendable {
        package let value: ExactDecimal
        /// Its place among the milestones of the request.
        package let index: Int
        package let actions: ActionList

        package init(value: ExactDecimal, index: Int, actions: ActionList) {
            (self.value, self.index, self.actions) = (value, index, actions)
        }
    }

    /// No two have the same value.
    package let entries: [Entry]
    /// An object with all milestones, those without actions included. That JSON is stored.
    package let source: [UInt8]
    /// Estimated memory in bytes.
    let footprint: Int

    package init(entries: [Entry], source: [UInt8]) {
        self.entries = entries
        self.source = source
        footprint =
            Footprint.block(source.count) + Footprint.block(entries.count * MemoryLayout<Entry>.stride)
            + entries.reduce(0) { $0 + $1.actions.footprint }
    }

    /// Returns the actions of a milestone; nil if it has none.
    func actions(at value: ExactDecimal) -> ActionList? { entries.first { $0.value == value }?.actions }
}
