// How long requests took, by route, method and status.

import Base
import Gateway
import Synchronization

/// What a request's figures are told apart by; all of few values.
struct RequestKey: Sendable {
    var route: RoutePattern
    var method: RequestMethod
    var status: UInt16

    /// One for each key, in the order in which they are shown.
    var number: UInt32 { UInt32(route.rawValue) << 24 | UInt32(method.rawValue) << 16 | UInt32(status) }
}

/// A method, of those that there are.
enum RequestMethod: UInt8, Sendable {
    case get, head, post, put, delete, options, other

    init(_ text: String) {
        switch text {
        case "GET": self = .get
        case "HEAD": self = .head
        case "POST": self = .post
        case "PUT": self = .put
        case "DELETE": self = .delete
        case "OPTIONS": self = .options
        default: self = .other
        }
    }

    var text: String { self == .other ? "other" : "\(self)".uppercased() }
}

/// Histograms of requests. No `HistogramTable`, since every request comes by here: as generic code, called across modules, that
/// was half of what telling of a request costs.
final class RequestTimes: Sendable {
    /// The most keys that are told apart: far more than there are.
    private static let maximum = 4_096

    private let histograms = Mutex<[UInt32: (key: RequestKey, histogram: Histogram)]>([:])

    /// Counts a request.
    func observe(_ key: RequestKey, nanoseconds: Int64) {
        let number = key.number
        let histogram: Histogram? = histograms.withLock { histograms in
            if let known = histograms[number] { return known.histogram }
            guard histograms.count < Self.maximum else { return nil }
            let new = Histogram()
            histograms[number] = (key, new)
            return new
        }
        histogram?.observe(nanoseconds: nanoseconds)
    }

    /// What was counted so far, in the order of the keys.
    var snapshots: [(key: RequestKey, snapshot: HistogramSnapshot)] {
        let known = histograms.withLock { $0.values.map { ($0.key, $0.histogram) } }
        return known.sorted { $0.0.number < $1.0.number }.map { ($0.0, $0.1.snapshot) }
    }
}
