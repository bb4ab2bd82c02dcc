// Actions of milestones over HTTP: set by PUT, across restarts, with the rights of who set them.

import Foundation
import TestSupport
import Testing

@Suite struct MilestoneActionTests {
    @Test func `a progress goal's milestone action runs once, with a restart on the way`() throws {
        let folder = TemporaryFolder()
        let first = try ServerProcess(folder: folder.path)
        let set = try first.client.send(
            "PUT", "/v1/progress/goal",
            body: #"{"maximum":500,"milestones":[250,{"at":500,"do":[{"notify":"goal"},{"ticker":"goals","by":1}]}],"#
                + #""then":[{"ticker":"updates","by":1,"duration":0}],"duration":0.2}"#)
        #expect(set.status == 201 && set.body.contains(#"{"at":500,"do":[{"notify":"goal"}"#), "\(set.body)")
        let early = try EventSourceClient.greeted(port: first.port, path: "/v1/events?progress=goal&notification=*")
        _ = try first.client.post("/v1/progress/goal", #"{"by":300}"#)
        let before = try early.collect { $0.name == "complete" }
        #expect(before.filter { $0.name == "milestone" }.count == 1 && !before.contains { $0.name == "notification" })
        let batch = try first.client.post("/v1/batch", #"{"progress":"goal","by":150}"#)
        #expect(batch.body.contains(#""status":200"#), "\(batch.body)")
        _ = try early.collect { $0.name == "complete" }
        _ = try first.client.post("/v1/progress/goal", #"{"by":100,"duration":60}"#)
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        let late = try EventSourceClient.greeted(
            port: second.port, path: "/v1/events?progress=goal&notification=*&ticker=goals&ticker=updates")
        _ = try second.client.send("POST", "/v1/progress/goal/rate", body: #"{"rate":500}"#)
        let after = try late.collect { $0.name == "complete" && $0.data.contains("progress") }
        _ = try late.collect { $0.json["ticker"] as? String == "goals" && $0.name == "complete" }
        #expect(after.filter { $0.name == "milestone" }.map { $0.json["value"] as? Int } == [500])
        #expect(try second.client.get("/v1/tickers/goals").json["target"] as? Int == 1)
        try eventually("every update has run its then") {
            try second.client.get("/v1/tickers/updates").json["target"] as? Int == 3
        }
    }

    /// `§` stands for whose resource an action changes.
    @Test(arguments: [
        #"{"then":[{"ticker":"§-2","to":1}]}"#, #"{"milestones":[{"at":5,"do":[{"notify":"§-n"}]}]}"#,
        #"{"milestones":[1,{"at":5,"do":[{"notify":"shop-n"},{"ticker":"shop-2","to":1,"then":[{"notify":"§-n"}]}]}]}"#,
    ])
    func `PUT needs the right to each action in then and milestones`(body: String) throws {
        let guarded = try GuardedServer()
        let headers = GuardedServer.Visitor.publisher.headers
        for (whose, statuses) in [("shop", (201, 202)), ("other", (403, 403))] {
            let text = body.replacingOccurrences(of: "§", with: whose)
            let put = try guarded.server.client.send(
                "PUT", "/v1/tickers/shop-\(whose)", body: text, headers: headers)
            #expect(put.status == statuses.0, "\(put.body)")
            if whose == "other" { #expect(put.body.contains(#""pointer":"/"#) && put.body.contains("/0")) }
            guard text.contains("milestones") else { continue }
            let post = try guarded.server.client.post(
                "/v1/tickers/shop-post-\(whose)", #"{"to":9,"# + text.dropFirst(), headers: headers)
            #expect(post.status == statuses.1, "\(post.body)")
        }
    }

    @Test func `webhooks of milestones are held to the hosts that may be called`() throws {
        let server = try ServerProcess(
            arguments: ["--webhook-host", "hooks.example"],
            environment: ["TWEENCAST_WEBHOOK_SECRET": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
        for (host, status) in [("hooks.example", 201), ("other.example", 422)] {
            let answer = try server.client.send(
                "PUT", "/v1/progress/\(host)",
                body: #"{"milestones":[{"at":5,"do":[{"webhook":"https://\#(host)/goal"}]}]}"#)
            #expect(answer.status == status, "\(answer.body)")
            if status == 422 { #expect(answer.json["pointer"] as? String == "/milestones/0/do/0/webhook") }
        }
    }
}
