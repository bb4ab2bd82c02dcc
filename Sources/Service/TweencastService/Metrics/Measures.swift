// Measurements that many threads add to, and figures of the process; the tick thread keeps its own counters.

import Base
import Gateway
import OperatingSystem
import Synchronization

/// The outcome of a webhook call.
enum CallOutcome: String, CaseIterable, Sendable {
    /// The answer was 2xx.
    case delivered
    /// The answer was another status.
    case refused
    /// No answer came.
    case failed
    /// The call was not allowed.
    case forbidden
}

/// Measurements outside the tick thread's own counters.
final class Measures: Sendable {
    let tickLateness = Histogram()
    let tickWork = Histogram()
    let greeting = Histogram()
    let firingLateness = Histogram()
    let requests = RequestTimes()
    let answerBytes = Atomic<UInt64>(0)
    let refusedTokens = Atomic<UInt64>(0)
    let refusedStreams = CounterTable<StreamRefusal>()
    let webhookCalls = HistogramTable<CallOutcome>(maximum: CallOutcome.allCases.count)

    /// Adds these measurements and the process's figures.
    func add(to page: inout MetricsPage) {
        page.add(.tickLateness, tickLateness.snapshot)
        page.add(.tickWork, tickWork.snapshot)
        page.add(.greeting, greeting.snapshot)
        page.add(.firingLateness, firingLateness.snapshot)
        page.add(.answerBytes, answerBytes.load(ordering: .relaxed))
        page.add(.refusedTokens, refusedTokens.load(ordering: .relaxed))
        for (key, snapshot) in requests.snapshots {
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

/// Why a stream was refused, to be tried again later.
enum StreamRefusal: String, CaseIterable, Sendable {
    /// The server has as many streams as it may.
    case full
    /// There was no room for another locale.
    case locales
    case draining
    /// The tick thread is stuck.
    case stuck
    /// The owner has as many streams as it may.
    case limit
    /// This replica lags behind what the client has received at another.
    case behind
}
