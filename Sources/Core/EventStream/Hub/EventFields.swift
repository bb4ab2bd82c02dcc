// Reads events back from the bytes of a stream, for its encoders.

/// The fields of one event.
package struct EventFields {
    /// nil for a frame.
    package private(set) var name: ArraySlice<UInt8>?
    package private(set) var id: ArraySlice<UInt8>?
    package private(set) var retry: ArraySlice<UInt8>?
    /// The lines of its data, usually one.
    package private(set) var data: [ArraySlice<UInt8>] = []

    /// Calls `body` with each of some whole events.
    package static func forEach(in events: ArraySlice<UInt8>, _ body: (EventFields) -> Void) {
        var event = EventFields()
        var place = events.startIndex
        while place < events.endIndex {
            // proven: `place` was checked above.
            let end = events[place...].firstIndex(of: UInt8(ascii: "\n")) ?? events.endIndex
            // proven: the end is not before the start.
            let line = events[place..<end]
            place = end + 1
            if line.isEmpty {
                body(event)
                event = EventFields()
            } else {
                event.parse(line)
            }
        }
    }

    private mutating func parse(_ line: ArraySlice<UInt8>) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        // proven: the colon is in the line.
        let rest = line[(colon + 1)...]
        let value = rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest
        if line.starts(with: "data:".utf8) {
            data.append(value)
        } else if line.starts(with: "event:".utf8) {
            name = value
        } else if line.starts(with: "id:".utf8) {
            id = value
        } else if line.starts(with: "retry:".utf8) {
            retry = value
        }
    }
}
