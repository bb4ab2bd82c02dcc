// One stream of very many topics: its greeting holds up nobody, and nothing piles up for a client that doesn't read.

import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite struct ManyTopicsTests {
    private static let count = 9_000

    @Test(arguments: SendPath.possible)
    func `a client that does not read has little buffered, and then gets each state once`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        let lines = (0..<Self.count).map {
            #"{"ticker":"many-\#($0)","label":"state of \#($0)","to":\#($0),"duration":0}"#
        }
        #expect(try server.client.post("/v1/batch", lines.joined(separator: "\n")).status == 200)
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/events?ticker=many-*&ticker=clock", receiveBuffer: 4_096)
        _ = try server.client.post("/v1/tickers/clock", #"{"from":0,"to":1000000,"duration":600}"#)

        // Others are served as ever meanwhile.
        let other = try EventSourceClient(port: server.port, path: "/v1/tickers/clock/events")
        for _ in 0..<60 { _ = try other.next() }
        let items = try #require(try server.client.get("/v1/clients").json["items"] as? [[String: Any]])
        let waiting = items.compactMap { $0["unsentBytes"] as? Int }
        #expect(waiting.count == 2 && waiting.allSatisfy { $0 < 64 * 1_024 }, "\(waiting)")

        var told: [String: Int] = [:]
        while told.count < Self.count {
            let event = try #require(try stream.next())
            // Were bytes left out, one could not be read.
            let frame = try #require(event.frame)
            guard let ticker = frame.ticker, ticker.hasPrefix("many-") else { continue }
            told[ticker, default: 0] += 1
            #expect(frame.text == "state of \(ticker.dropFirst(5))")
        }
        #expect(told.values.allSatisfy { $0 == 1 })
        // And then it goes on with what moves.
        let clock = try #require(try stream.collect { $0.frame?.ticker == "clock" }.last?.frame?.value)
        let later = try stream.collect { $0.frame?.ticker == "clock" && $0.frame?.value ?? 0 > clock }
        #expect(later.last?.frame?.value ?? 0 > clock)
    }
}
