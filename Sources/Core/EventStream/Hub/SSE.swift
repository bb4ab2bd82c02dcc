// Encodes Server-Sent Events as in the WHATWG HTML standard (section 9.2).

package import Base

/// Writes event streams.
package enum SSE {
    /// Appends `data:` lines for a payload. Any line break in it begins another such line, so that no payload can forge a
    /// field.
    package static func appendData(_ payload: some Collection<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: dataField)
        // JSON has no line breaks and is copied at once.
        guard payload.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            bytes.append(contentsOf: payload)
            bytes.append(0x0A)
            return
        }
        var previous: UInt8 = 0
        for byte in payload {
            switch byte {
            case 0x0A where previous == 0x0D: break
            case 0x0A, 0x0D:
                bytes.append(0x0A)
                bytes.append(contentsOf: dataField)
            default: bytes.append(byte)
            }
            previous = byte
        }
        bytes.append(0x0A)
    }

    /// Returns a whole frame.
    package static func frame(_ payload: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + dataField.count + 2)
        appendData(payload, to: &bytes)
        bytes.append(0x0A)
        return bytes
    }

    /// Returns a whole named event.
    package static func event(
        _ name: String, id: EventID? = nil, retry: Int? = nil, payload: some Collection<UInt8>
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 64)
        if let id {
            bytes.append(contentsOf: "id: ".utf8)
            bytes.append(contentsOf: id.epoch.utf8)
            bytes.append(contentsOf: "-".utf8)
            bytes.append(contentsOf: String(id.number).utf8)
            bytes.append(0x0A)
        }
        bytes.append(contentsOf: "event: ".utf8)
        bytes.append(contentsOf: name.utf8)
        bytes.append(0x0A)
        if let retry { bytes.append(contentsOf: "retry: \(retry)\n".utf8) }
        appendData(payload, to: &bytes)
        bytes.append(0x0A)
        return bytes
    }

    static let dataField = Array("data: ".utf8)
    /// A named event, since scripts never see comments.
    package static let heartbeat = event("heartbeat", payload: "{}".utf8)
}

/// Random reconnection delays, so that the clients of a failed server don't all return at once.
package struct JitteredRetry: Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Returns 1,000 to 4,000 milliseconds. SplitMix64 is random enough to spread clients.
    package mutating func next() -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return 1_000 + Int((mixed ^ (mixed >> 31)) % 3_000)
    }
}
