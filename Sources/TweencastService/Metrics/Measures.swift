// Figures that threads of many kinds add to, and those of the process: whatever is not the tick thread's own.

import EventStream
import Gateway
import HTTPTransport
import Metrics
import Threads

/// How a webhook's call ended.
enum CallOutcome: String, CaseIterable, Sendable {
    /// 2xx.
    case delivered
    /// Another answer.
    case refused
    /// None came.
    case failed
    /// The call was not allowed.
    case forbidden
}

/// What a request's figures are told apart by; all of few values.
struct RequestKey: Hashable, Sendable {
    var route: RoutePattern
    var method: RequestMethod
    var status: UInt16
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

/// What is counted beside the tick thread's own counters.
final class Measures: Sendable {
    /// The most combinations of route, method and status that are told apart: far more than there are.
    private static let requestKeys = 4_096

    let tickLateness = Histogram()
    let tickWork = Histogram()
    let greeting = Histogram()
    let firingLateness = Histogram()
    let requests = HistogramTable<RequestKey>(maximum: Measures.requestKeys)
    let answerBytes = CounterTable<One>()
    let refusedTokens = CounterTable<One>()
    let refusedStreams = CounterTable<StreamRefusal>()
    let webhookCalls = HistogramTable<CallOutcome>(maximum: CallOutcome.allCases.count)

    /// The key of a counter that is alone.
    enum One: CaseIterable { case all }

    /// Adds all but what others have to tell.
    func add(to page: inout MetricsPage) {
        page.add(.tickLateness, tickLateness.snapshot)
        page.add(.tickWork, tickWork.snapshot)
        page.add(.greeting, greeting.snapshot)
        page.add(.firingLateness, firingLateness.snapshot)
        page.add(.answerBytes, answerBytes[.all])
        page.add(.refusedTokens, refusedTokens[.all])
        for (key, snapshot) in requests.snapshots.sorted(by: { $0.key < $1.key }) {
            page.add(.requests, snapshot, [key.route.text, key.method.text, "\(key.status)"])
        }
        let calls = Dictionary(webhookCalls.snapshots.map { ($0.key, $0.snapshot) }) { first, _ in first }
        for outcome in CallOutcome.allCases {
            page.add(.webhookTime, calls[outcome] ?? HistogramSnapshot(), [outcome.rawValue])
        }
        addProcess(to: &page)
    }

    private func addProcess(to page: inout MetricsPage) {
        let process = ProcessFacts.current()
        page.add(.processCPU, seconds: process.processorSeconds)
        page.add(.processResident, process.residentBytes)
        page.add(.processVirtual, process.virtualBytes)
        page.add(.processOpenDescriptors, process.openDescriptors)
        page.add(.processMaxDescriptors, process.maximumDescriptors)
        page.add(.processStart, seconds: process.startTime)
        page.add(.processThreads, process.threads)
    }
}

extension RequestKey: Comparable {
    static func < (one: RequestKey, other: RequestKey) -> Bool {
        (one.route.rawValue, one.method.rawValue, one.status)
            < (other.route.rawValue, other.method.rawValue, other.status)
    }
}

/// Why a stream was told to come back later.
enum StreamRefusal: String, CaseIterable, Sendable {
    /// There are as many as there may be.
    case full
    /// There was no room for another reader's locale.
    case locales
    case draining
    /// The tick thread did not go on.
    case stuck
    /// Its owner has as many as it may.
    case limit
}
