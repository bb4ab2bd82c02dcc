// Percentages as people of different countries write them.

import Foundation
import TestSupport
import Testing

@Suite struct PercentTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess() }

    @Test(arguments: [
        (#""format":{"locale":"en-US"}"#, "25%"), (#""format":{"locale":"de"}"#, "25\u{A0}%"),
        (#""format":{"locale":"tr"}"#, "%25"), (#""format":{"locale":"de"},"decimals":1"#, "25,4\u{A0}%"),
        (#""format":{"locale":"de"},"label":"{percent} von hundert","decimals":2"#, "25,49 von hundert"),
        (#""label":"{percent}%","decimals":3"#, "25.499%"),
        (#""format":{"locale":"fa"}"#, "۲۵٪"),
        (#""format":{"style":"percent"},"label":"{value} of {maximum}""#, "25% of 100%"),
        (#""format":{"style":"currency","currency":"USD"}"#, "25%"),
    ])
    func `a percentage is written as its locale has it, and truncated`(rendering: String, text: String) throws {
        let update = #"{"current":50.999,"maximum":200,"duration":0,\#(rendering)}"#
        let answer = try server.client.post("/v1/progress/p", update)
        #expect(answer.status == 202, "\(answer.body)")
        #expect(answer.json["text"] as? String == text)
        #expect(answer.json["percent"] as? Int == 25)
        let display = try #require(answer.json["display"] as? [String: String])
        let number = try #require(text.split { !$0.isNumber && $0 != "," && $0 != "." }.first)
        let spoken = rendering.contains("format") ? try #require(display["percent"]) : "\(number) percent"
        #expect(display["accessible"]?.hasPrefix(spoken) == true)
        #expect(spoken.contains(number))
    }

    @Test func `a progress without a maximum shows its indeterminate text`() throws {
        let client = server.client
        var answer = try client.post("/v1/progress/p", #"{"current":3,"maximum":null,"duration":0}"#)
        #expect(answer.json["text"] as? String == "Working…")
        answer = try client.post("/v1/progress/p", #"{"indeterminate":"{value} files so far","duration":0}"#)
        #expect(answer.json["text"] as? String == "3 files so far")
        #expect((answer.json["display"] as? [String: String])?["accessible"] == "3 files so far")
        answer = try client.post("/v1/progress/p", #"{"maximum":6,"duration":0}"#)
        #expect(answer.json["text"] as? String == "50%")
        answer = try client.post("/v1/progress/p", #"{"indeterminate":"{nobody}"}"#)
        #expect(answer.status == 422 && answer.body.contains("indeterminate"))
    }
}
