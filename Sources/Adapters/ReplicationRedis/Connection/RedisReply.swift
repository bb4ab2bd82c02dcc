// A server's reply (RESP2) as a value.

import CHiredis

/// A reply, copied out of the library.
package enum RedisReply: Hashable, Sendable {
    case null
    /// `OK` and similar.
    case status(String)
    case integer(Int64)
    case bytes([UInt8])
    case array([RedisReply])
    /// Without the minus sign. `call` and `value(of:)` throw it, so their replies contain it only inside arrays; `receive` returns
    /// it as it is.
    case error(String)

    /// An integer, or the one that a text writes in decimal.
    package var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .bytes, .status: text.flatMap { Int64($0) }
        case .null, .array, .error: nil
        }
    }

    /// The bytes of a bulk string or status; nil for other replies.
    package var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .status(let text): Array(text.utf8)
        case .null, .integer, .array, .error: nil
        }
    }

    /// A text; nil for other replies and invalid UTF-8.
    package var text: String? {
        switch self {
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
        case .status(let text): text
        case .null, .integer, .array, .error: nil
        }
    }

    /// The elements of an array; nil for other replies.
    package var elements: [RedisReply]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}

extension RedisReply {
    /// Copies a reply, each text once. The recursion is bounded: the library's reader rejects more than seven nested arrays.
    init(copying reply: UnsafePointer<redisReply>) {
        let reply = unsafe reply.pointee
        switch unsafe reply.type {
        case REDIS_REPLY_STRING: unsafe self = .bytes(Array(Self.text(of: reply)))
        case REDIS_REPLY_STATUS: unsafe self = .status(String(decoding: Self.text(of: reply), as: UTF8.self))
        case REDIS_REPLY_ERROR: unsafe self = .error(String(decoding: Self.text(of: reply), as: UTF8.self))
        case REDIS_REPLY_INTEGER: self = unsafe .integer(reply.integer)
        case REDIS_REPLY_ARRAY:
            let elements = unsafe UnsafeBufferPointer(start: reply.element, count: reply.elements)
            self = .array(
                unsafe elements.map { element in
                    guard let element = unsafe element else { return .null }
                    return unsafe RedisReply(copying: element)
                })
        default: self = .null
        }
    }

    private static func text(of reply: redisReply) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: reply.str, count: reply.len)
    }
}
