// Requests in logs of builds in which `{current}` was where a progress moves.

import Base
import Board
import Machine
import TestSupport
import Testing
import Wire

@Suite struct CommandBytesTests {
    /// Returns a request as it is read from a log, once its command has an old code.
    private static func read(_ command: Command, code: UInt8) throws -> Command? {
        var writer = ByteWriter()
        Request.command(CommandRequest(command, showing: nil, as: .noContent)).write(to: &writer)
        var bytes = writer.bytes
        // Behind the code of a request.
        bytes[1] = code
        var reader = ByteReader(bytes)
        guard case .command(let request) = try Request(from: &reader, rules: NoCalendar()) else { return nil }
        return request.command
    }

    @Test(arguments: [0, 1] as [UInt8]) func `an update in an old log entry reads the placeholder current as target`(
        code: UInt8
    ) throws {
        let json = #"{"maximum":5,"label":"{current} of {maximum}"}"#
        let update = try UpdateDecoder.update(
            ofSource: Array(json.utf8), kind: .progress, role: .update, rules: NoCalendar())
        let command = try Self.read(.update(ResourceName(.progress, "p"), update), code: code)
        switch command {
        case .update(_, let read), .define(_, let read):
            #expect(read.label == "{target} of {maximum}")
            #expect(String(decoding: read.source, as: UTF8.self) == json.replacing("{current}", with: "{target}"))
        default: Issue.record("\(String(describing: command)) is no update")
        }
    }

    @Test func `a schedule in an old log entry reads the placeholder current as target`() throws {
        let json = #"{"in":5,"do":[{"progress":"p","label":"{current}"}]}"#
        let definition = try ScheduleDecoder.definition(ofSource: Array(json.utf8), rules: NoCalendar())
        let command = try Self.read(.schedule(ResourceName(.schedule, "s"), definition), code: 4)
        guard case .schedule(_, let read) = command else {
            Issue.record("no schedule")
            return
        }
        #expect(String(decoding: read.source, as: UTF8.self) == json.replacing("{current}", with: "{target}"))
    }
}
