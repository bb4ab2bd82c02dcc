// What a fuzzer holds against the sources: a function that takes any bytes and looks at what must be true of them.

/// Something that must always be true, and was not.
package struct Violation: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Properties of what reads one kind of input. A new target is a value here, a line in `all` and a corpus.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    /// Also the name of its folder of inputs.
    package let name: String
    /// The longest input that is worth trying, in bytes.
    package let maximumBytes: Int
    /// Throws where a property doesn't hold. What traps is found by whoever calls it.
    package let check: @Sendable ([UInt8]) throws(Violation) -> Void

    init(_ name: String, upTo maximumBytes: Int = 1_024, check: @escaping @Sendable ([UInt8]) throws(Violation) -> Void)
    {
        self.name = name
        self.maximumBytes = maximumBytes
        self.check = check
    }

    package var description: String { name }

    package static let all: [FuzzTarget] = [
        .labels, .messages, .easings, .calendars,
        .updates, .batches, .schedules, .records, .snapshots, .entries,
        .queries, .bodies, .eventIDs, .events, .pastEvents, .webhooks,
        .jwts, .tokenFiles, .grants, .proxies,
    ]
}

/// Has a property that must hold.
func require(_ holds: Bool, _ what: @autoclosure () -> String) throws(Violation) {
    guard holds else { throw Violation(what()) }
}
