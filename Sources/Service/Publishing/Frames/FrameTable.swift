// The frames of all topics. Which topics there are, and where their resources lie, the hub knows.

package import Board
package import EventStream

/// What the subscribers of each topic were last sent, by topic.
package struct FrameTable {
    var topics: [TopicFrames] = []

    package init() {}

    /// Begins the frames of a topic that has a resource, or had one until its end is shown.
    package mutating func begin(_ topic: TopicIndex, as name: ResourceName) {
        let index = Int(topic.rawValue)
        if index >= topics.count { topics.append(contentsOf: repeatElement(.unused, count: index + 1 - topics.count)) }
        topics[index] = TopicFrames(name)
    }

    /// Forgets a topic that is released.
    mutating func forget(_ topic: TopicIndex) {
        if topics.indices.contains(Int(topic.rawValue)) { topics[Int(topic.rawValue)] = .unused }
    }

    /// Uses the form of a variant.
    mutating func withForm<Result>(
        of variant: Variant, on topic: TopicIndex, _ body: (inout FrameForm) -> Result
    ) -> Result {
        topics[Int(topic.rawValue)].withForm(of: variant, body)
    }
}
