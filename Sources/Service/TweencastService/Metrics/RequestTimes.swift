// Durations of requests, by route, method and status.

import Base
import Gateway
import Synchronization

/// The labels of a request's metrics. Each has few values.
struct RequestKey: Sendable {
    var route: RoutePattern
    var method: RequestMethod
    var status: UInt16

    /// A unique number for each key; keys are shown in this order.
    var number: UInt32 { UInt32(route.rawValue) << 24 | UInt32(method.rawValue) << 16 | UInt32(status) }
}

/// A request's method, limited to known ones.
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

/// Histograms of requests. Not a `HistogramTable`, because every request passes here: as generic code called across modules,
/// that took half of the time for recording a request.
final class RequestTimes: Sendable {
    /// The most keys: far more than occur.
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

    /// The counts so far, in the order of the keys.
    var snapshots: [(key: RequestKey, snapshot: HistogramSnapshot)] {
        let known = histograms.withLock { $0.values.map { ($0.key, $0.histogram) } }
        return known.sorted { $0.0.number < $1.0.number }.map { ($0.0, $0.1.snapshot) }
    }
}
