// A service that is started while its log is out of reach.

import Replication
import TestSupport
import Testing

@testable import TweencastService

/// A log that nobody answers for.
private struct AbsentLog: LogOpener {
    let failure: LogFailure
    let isHolding = false

    func open(_ needs: LogContext) throws(LogFailure) -> (log: any SharedLog, board: LoadedBoard) { throw failure }
    func load(_ needs: LogContext) throws(LogFailure) -> LoadedBoard { throw failure }
    func create(_ board: LoadedBoard, _ needs: LogContext) throws(LogFailure) { throw failure }
}

@Suite struct BoardAbsenceTests {
    private func service(_ failure: LogFailure, waits: Bool) throws -> Service {
        var configuration = ServiceConfiguration()
        configuration.port = 0
        return try Service(configuration, store: .shared(AbsentLog(failure: failure)), waits: waits)
    }

    @Test func `a service without its log listens, reports not ready, and answers requests with 503`() throws {
        let service = try service(LogFailure(.away, "127.0.0.1:1: Connection refused", mayPass: true), waits: true)
        let client = HTTPClient(port: try service.start())
        let isOpen = try service.open()
        #expect(!isOpen && !service.isOpen)
        let readiness = try client.get("/readyz")
        #expect(readiness.status == 503)
        #expect(readiness.body == #"{"ready":false,"reason":"the replication log is unreachable"}"#)
        #expect(try client.get("/healthz").body == #"{"status":"ok"}"#)
        for answer in [
            try client.get("/v1/tickers"), try client.get("/metrics"), try client.post("/v1/tickers/t", #"{"to":1}"#),
        ] {
            #expect(answer.status == 503 && answer.headers["retry-after"] == "5")
            #expect(
                answer.body.contains("the board is not loaded yet: the replication log is unreachable"),
                "\(answer.body)")
        }
        let stream = try client.get("/v1/events?ticker=*")
        #expect(stream.status == 200 && stream.body.contains("event: bye") && stream.body.contains("retry: "))
        service.stop()
    }

    @Test(arguments: [(false, true), (true, false), (false, false)])
    func `a service without its log fails to start unless it is told to wait and waiting may help`(
        mayPass: Bool, waits: Bool
    ) throws {
        let failure = LogFailure(.refused, "WRONGPASS", mayPass: mayPass)
        #expect(throws: ServiceError.log(failure)) { _ = try service(failure, waits: waits) }
    }
}
