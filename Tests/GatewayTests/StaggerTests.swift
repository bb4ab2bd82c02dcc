// Batches whose motions set out one after another.

import Base
import Board
import Testing
import Wire

@testable import Gateway

@Suite struct StaggerTests {
    private func leads(_ stagger: Double, _ lines: [String]) -> [Double?] {
        lines.enumerated().map { index, line in
            do throws(Problem) {
                let command = try Stagger.apply(stagger, to: BatchDecoder.command(Array(line.utf8)[...]), at: index)
                return if case .update(_, let update) = command { update.lead } else { nil }
            } catch {
                return nil
            }
        }
    }

    @Test func `stagger starts each update that much later than the line before`() {
        let lines = [
            #"{"ticker":"a","to":1}"#, #"{"progress":"b","current":1,"delay":5}"#, #"{"op":"pause","ticker":"a"}"#,
            #"{"ticker":"a"}"#, #"{"ticker":"c","to":1}"#,
        ]
        #expect(leads(0.25, lines) == [0, 0.25, nil, nil, 1])
        #expect(leads(0, lines) == [0, 0, nil, nil, 0])
    }

    @Test func `stagger beyond a year is refused and names the parameter`() throws {
        let lines = Array(repeating: #"{"ticker":"a","to":1}"#, count: 3)
        #expect(leads(15_768_000, lines) == [0, 15_768_000, 31_536_000])
        #expect(leads(20_000_000, lines) == [0, 20_000_000, nil])
        let command = Command.update(ResourceName(.ticker, "a"), TrackUpdate())
        let problem = #expect(throws: Problem.self) { try Stagger.apply(20_000_000, to: command, at: 2) }
        #expect(problem?.pointer == "?stagger")
    }

    @Test func `stagger is a decimal number of seconds`() throws {
        for (text, seconds) in [(nil, 0), ("0.25", 0.25), ("2.5e2", 250)] as [(String?, Double)] {
            #expect(try Stagger.seconds(text) == seconds)
        }
        for text in ["", "0x10", "inf", "nan", "-1", "31536001", "1s"] {
            #expect(throws: Problem.self, "\(text)") { try Stagger.seconds(text) }
        }
    }
}
