// Requests that name something by a field of the contract, for the tests of who may name what.

import Gateway
import TestSupport

/// A request with `§` where it names something.
struct NamingProbe: CustomStringConvertible {
    var method: String
    var path: String
    var body: String?

    init(_ method: String, _ path: String, _ body: String? = nil) {
        (self.method, self.path, self.body) = (method, path, body)
    }

    var description: String { "\(method) \(path) \(body ?? "")" }

    /// Sends it with a name in place.
    func send(_ id: String, to guarded: GuardedServer, headers: [String]) throws -> (status: Int, body: String) {
        let (path, body) = (path.replacing("§", with: id), body?.replacing("§", with: id))
        if path.contains("/events") {
            let stream = try EventSourceClient(
                port: guarded.server.port, path: path, method: method, body: body, headers: headers)
            // A stream has no end to be read to.
            guard stream.status != 200 else { return (200, "") }
        }
        let answer = try guarded.server.client.send(method, path, body: body, headers: headers)
        return (answer.status, answer.body)
    }

    /// Also as a line of a batch.
    func isRefused(_ answer: (status: Int, body: String)) -> Bool {
        answer.status == 403 || path == "/v1/batch" && answer.body.contains(#""status":403"#)
    }

    /// The requests that a row of the table is tried with.
    static func all(_ field: NamingField) -> [NamingProbe] {
        let property = field.place.split(separator: ".").last.map(String.init) ?? ""
        switch field.place {
        case "TickerChange.ticker": return change(#"{"ticker":"§","to":1}"#)
        case "TextChange.ticker": return actions(#"{"ticker":"§","label":"5"}"#)
        case "ProgressChange.progress": return change(#"{"progress":"§","current":1}"#)
        case "Operation.ticker", "Operation.progress", "Operation.schedule":
            return change(#"{"op":"pause","\#(property)":"§"}"#)
        case "NotifyAction.notify": return actions(#"{"notify":"§"}"#)
        case "NotifyLine.notify": return [NamingProbe("POST", "/v1/batch", #"{"notify":"§"}"#)]
        case "ScheduleDefinition.id":
            let definition = #"{"id":"§","in":1000,"do":[]}"#
            return actions(#"{"schedule":\#(definition)}"#)
                + ["", "/preview"].map { NamingProbe("POST", "/v1/schedules\($0)", definition) }
        case "parameters.notificationName": return [NamingProbe("POST", "/v1/notifications/§", "1")]
        case "Start.with", "Start.after": return starts(property)
        case let place where place.hasPrefix("Selection."):
            return [#"{"\#(property)":["§"]}"#, #"{"parts":[{"\#(property)":["§"]}]}"#].map {
                NamingProbe("POST", "/v1/events", $0)
            }
        case let place where place.hasPrefix("TicketRequest."):
            return [NamingProbe("POST", "/v1/tickets", #"{"\#(property)":["§"]}"#)]
        case "parameters.tickerTopics", "parameters.progressTopics", "parameters.scheduleTopics",
            "parameters.notificationTopics":
            return [NamingProbe("GET", "/v1/events?\(property.dropLast("Topics".count))=§")]
        case "parameters.tickerID", "parameters.progressID", "parameters.scheduleID":
            return path(String(property.dropLast("ID".count)), field.rule)
        case "asyncapi.parameters.id":
            return ["tickers", "progress", "schedules"].map { NamingProbe("GET", "/v1/\($0)/§/events") }
        case "parameters.webhookID":
            return [
                NamingProbe("POST", "/v1/webhooks/failed/§/retry"), NamingProbe("DELETE", "/v1/webhooks/failed/§"),
            ]
        case "ListeningClient.topics": return [NamingProbe("GET", "/v1/clients")]
        case "FailedWebhook.by": return [NamingProbe("GET", "/v1/webhooks/failed")]
        default: return []
        }
    }

    /// A change as a line of a batch, and as an action.
    private static func change(_ body: String) -> [NamingProbe] {
        [NamingProbe("POST", "/v1/batch", body)] + actions(body)
    }

    /// An action wherever one can stand.
    private static func actions(_ action: String) -> [NamingProbe] {
        let delayed = #"{"delay":1,"ticker":"other-2","to":1,"then":[\#(action)]}"#
        let update = #"{"to":1,"duration":1000,"then":[\#(action)]}"#
        return [
            NamingProbe("POST", "/v1/tickers/other-3", update),
            NamingProbe("POST", "/v1/progress/other-3", #"{"current":1,"else":[{"notify":"other-n"},\#(action)]}"#),
            NamingProbe("POST", "/v1/batch", #"{"ticker":"other-3","to":1,"then":[\#(action)]}"#),
            NamingProbe("PUT", "/v1/schedules/other-3", #"{"in":1000,"do":[\#(delayed)]}"#),
            NamingProbe("POST", "/v1/schedules/preview", #"{"in":1000,"do":[\#(action)]}"#),
            NamingProbe(
                "PUT", "/v1/schedules/other-3",
                #"{"in":1000,"do":[{"schedule":{"id":"other-4","in":1000,"do":[\#(action)]}}]}"#),
        ]
    }

    /// A motion that begins by another one's.
    private static func starts(_ edge: String) -> [NamingProbe] {
        ["ticker", "progress"].flatMap { kind -> [NamingProbe] in
            let start = #""start":{"\#(edge)":"\#(kind):§","offset":0.1}"#
            return [
                NamingProbe("POST", "/v1/tickers/other-5", #"{"to":1,\#(start)}"#),
                NamingProbe("POST", "/v1/progress/other-5", #"{"current":1,\#(start)}"#),
                NamingProbe("POST", "/v1/tickers/other-5", #"{"to":[1,2],"interrupt":"queue",\#(start)}"#),
            ] + change(#"{"ticker":"other-5","to":1,\#(start)}"#)
                + change(#"{"progress":"other-5","current":1,\#(start)}"#)
        }
    }

    /// What a path takes, of those methods that need a right.
    private static func path(_ kind: String, _ right: NamingField.Rule) -> [NamingProbe] {
        let path = "/v1/\(kind == "progress" ? kind : kind + "s")/§"
        guard right == .publish else {
            return [
                NamingProbe("GET", path), NamingProbe("GET", path + "?locale=de"), NamingProbe("GET", path + "/events"),
                kind == "schedule" ? NamingProbe("GET", path + "?preview=3") : NamingProbe("GET", path + "/history"),
            ]
        }
        let definition = kind == "schedule" ? #"{"in":1000,"do":[]}"# : #"{"label":"5"}"#
        let operations = ["pause", "resume"].map { NamingProbe("POST", "\(path)/\($0)") }
        let ends = [NamingProbe("PUT", path, definition), NamingProbe("DELETE", path)]
        guard kind != "schedule" else { return operations + ends }
        let verbs: [(String, String?)] = [
            ("seek", #"{"fraction":0.5}"#), ("rate", #"{"rate":2}"#), ("finish", nil), ("cancel", nil),
        ]
        return operations + verbs.map { NamingProbe("POST", "\(path)/\($0.0)", $0.1) }
            + [NamingProbe("POST", path, kind == "ticker" ? #"{"to":1}"# : #"{"current":1}"#)] + ends
    }
}
