// Figures that threads of many kinds add to, and those of the process: whatever is not the tick thread's own.

import Base
import Gateway
import OperatingSystem
import Synchronization

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

/// What is counted beside the tick thread's own counters.
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

    /// Adds all but what others have to tell.
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
