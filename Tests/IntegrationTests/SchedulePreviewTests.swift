// When a schedule would fire, asked before it is made.

import TestSupport
import Testing

@Suite struct SchedulePreviewTests {
    @Test(arguments: [
        #"{"every":"0 3 * * mon-fri","timeZone":"Europe/Berlin","do":[]}"#,
        #"{"at":"2099-01-01T09:00:00Z","every":"P1M","count":3,"do":[{"notify":"due"}]}"#,
        #"{"at":"2099-01-01T09:00:00Z","do":[]}"#,
    ])
    func `a preview tells what the schedule does once it is made`(definition: String) throws {
        let server = try ServerProcess()
        let preview = try server.client.post("/v1/schedules/preview?preview=4", definition)
        #expect(preview.status == 200)
        let before = try server.client.get("/v1/schedules")
        #expect((before.json["items"] as? [Any])?.isEmpty == true)
        let made = try server.client.send("PUT", "/v1/schedules/due?preview=4", body: definition)
        let next = try #require(made.json["next"] as? [String])
        #expect(!next.isEmpty)
        #expect(preview.json["next"] as? [String] == next)
    }

    @Test func `a preview has five firings by default`() throws {
        let server = try ServerProcess()
        let preview = try server.client.post("/v1/schedules/preview", #"{"every":60,"do":[]}"#)
        #expect((preview.json["next"] as? [String])?.count == 5)
    }

    @Test(arguments: [
        (#"{"every":"0 3 31 2 *","do":[]}"#, "every"), (#"{"do":[]}"#, "at"),
        (#"{"every":"nightly","do":[]}"#, "every"),
    ])
    func `a preview of an invalid schedule is refused`(definition: String, field: String) throws {
        let server = try ServerProcess()
        let answer = try server.client.post("/v1/schedules/preview", definition)
        #expect(answer.status == 422)
        #expect(answer.body.contains(field))
    }
}
