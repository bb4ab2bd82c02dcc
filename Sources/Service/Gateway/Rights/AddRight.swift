// A right to count, and to do nothing else: for pages whose visitors have no token.

package import EventStream
package import Labels

/// Tickers and progresses to which may be added.
package struct AddRight: Hashable, Sendable {
    package var topics: TopicSelection
    /// The most that one update adds.
    package var atMost: ExactDecimal
}
