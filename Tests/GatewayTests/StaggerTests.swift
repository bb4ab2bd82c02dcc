// Batches whose motions set out one after another.

import Board
import Primitives
import Testing
import Wire

@testable import Gateway

@Suite struct StaggerTests {
    private func leads(_ stagger: Double, _ lines: [String]) -> [Double?] {
        var commands = lines.map { line -> Result<Command, Problem> in
            do throws(Problem) {
                return .success(try BatchDecoder.command(Array(line.utf8)[...]))
            } catch {
                return .failure(error)
            }
        }
        Stagger.apply(stagger, to: &commands)
        return commands.map {
            if case .success(.update(_, let update)) = $0 { update.lead } else { nil }
        }
    }

    @Test func `each line begins so much later than the one before`() {
        let lines = [
            #"{"ticker":"a","to":1}"#, #"{"progress":"b","current":1,"delay":5}"#, #"{"op":"pause","ticker":"a"}"#,
            #"{"ticker":"a"}"#, #"{"ticker":"c","to":1}"#,
        ]
        #expect(leads(0.25, lines) == [0, 0.25, nil, nil, 1])
        #expect(leads(0, lines) == [0, 0, nil, nil, 0])
    }
}
