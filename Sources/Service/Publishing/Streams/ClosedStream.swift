// What a stream was that has gone.

package import EventStream

/// A stream as it was known at its end.
package struct ClosedStream: Sendable {
    package let origin: StreamOrigin
    /// Whose token let it in; nil where there was none.
    package let holder: String?
    /// How many topics it heard.
    package let topics: Int
}
