// Which event a stream that answers a change ends with.

import Base

extension StreamGoal {
    private static let animation = Array("\"animation\":\"".utf8)
    private static let first = Array("\"first\":\"".utf8)

    /// Whether a completion is that of the motion, by itself or as one of many.
    /// - Parameter event: The whole event, as it is sent.
    func isReached(by event: [UInt8]) -> Bool {
        guard case .motion(let number) = self, let last = Self.number(after: Self.animation, in: event) else {
            return false
        }
        let first = Self.number(after: Self.first, in: event) ?? last
        return first <= number && number <= last
    }

    /// Returns the number of a member. Its name occurs nowhere else: a quote within a text is escaped.
    private static func number(after name: [UInt8], in event: [UInt8]) -> UInt64? {
        guard let place = event.firstRange(of: name) else { return nil }
        let digits = event.dropFirst(place.upperBound).prefix { $0 != UInt8(ascii: "\"") }
        return UInt64(String(decoding: digits, as: UTF8.self))
    }
}
