// A look at every server once all is at rest, and at numbers that move then: by each way to ask for them.

import Base
import HTTPTransport
import Wire

/// Asks all servers for what must be the same everywhere.
struct Inspection {
    /// Seconds of the last motions, and frames per second of their lists: those of some worlds come in portions.
    private static let motion = 30
    private static let rates = [1, 1, 1, 12]
    /// Instants of the last motions that are asked for by themselves, in seconds. Each has a listed frame.
    private static let instants = ["0", "7", "15", "29", "30"]
    /// Items of a page of a list.
    private static let portion = 3

    let world: World
    let servers: [SimulatedServer]
    let tokens: AccessTokens

    // MARK: - Requests

    func audit(_ target: String, at number: Int, method: String = "GET") {
        write("audit", target, of: servers[number], method: method)
    }

    func auditAll(_ targets: [String]) {
        for number in servers.indices { for target in targets { audit(target, at: number) } }
        world.run(until: world.now + .seconds(1))
    }

    func ask(
        _ target: String, of server: SimulatedServer, method: String = "GET", body: String = "",
        _ take: @escaping (Int, String) -> Void
    ) {
        let request = ClientRequest(
            method: method, target: target, headers: tokens.headers(of: .auditor), body: body)
        server.receive(request, of: 200) { reply in
            guard case .response(let response) = reply else { return take(0, "no answer") }
            take(response.status, response.body.text)
        }
    }

    /// Writes an answer down, and passes it on.
    private func write(
        _ kind: String, _ target: String, of server: SimulatedServer, method: String = "GET", body: String = "",
        then take: @escaping (String) -> Void = { _ in }
    ) {
        ask(target, of: server, method: method, body: body) { [world] status, answer in
            world.history.write(kind, at: world.now) {
                $0.member("server", server.name)
                $0.member("target", target)
                $0.member("status", status)
                $0.member("body", target == "/metrics" ? Self.steward(in: answer) : answer)
            }
            take(answer)
        }
    }

    /// Returns whether a server is the steward, by its metrics. Others are of this process, and differ from run to run.
    private static func steward(in metrics: String) -> String {
        metrics.split(separator: "\n").filter { $0.hasPrefix("tweencast_steward ") }.joined()
    }

    // MARK: - Other ways to ask

    /// Looks what a replica says and shows that has met an entry that it can't read.
    func lookAtStopped(_ server: SimulatedServer) {
        for target in ["/readyz", "/v1/tickers?limit=1"] { write("halted", target, of: server) }
    }

    /// Walks through all pages of a list, at every server.
    func walk(_ list: String) {
        for server in servers { walk(list, of: server, after: nil) }
        world.run(until: world.now + .seconds(1))
    }

    private func walk(_ list: String, of server: SimulatedServer, after place: String?) {
        let target = "\(list)?limit=\(Self.portion)" + (place.map { "&after=\($0)" } ?? "")
        write("page", target, of: server) { body in
            guard let next = Self.text(of: "next", in: body) else { return }
            // A list that goes round would have no end.
            if let place, next <= place { return }
            walk(list, of: server, after: next)
        }
    }

    /// Lists the frames of numbers at rest: the one of now, which is asked for by its date, too.
    func lookAtRest(of paths: [String]) {
        for server in servers {
            for path in paths {
                write("rested", path + "/frames", of: server) { body in
                    guard let date = Self.text(of: "from", in: body) else { return }
                    write("rested", "\(path)?at=\(date)", of: server)
                }
            }
        }
        world.run(until: world.now + .seconds(1))
    }

    /// Sends every number on its way once more, and looks where each server sees it then and later.
    func lookAtMotions(of paths: [String], agree: () -> Void) {
        for (number, path) in paths.enumerated() {
            let field = path.contains("tickers") ? "to" : "current"
            let body = #"{"\#(field)":\#(number).25,"duration":\#(Self.motion),"easing":"ease-in-out"}"#
            write("set off", path, of: servers[0], method: "POST", body: body)
        }
        world.run(until: world.now + .seconds(1))
        agree()
        let rate = world.pick(Self.rates)
        for server in servers {
            for path in paths {
                write("moving", "\(path)/frames?fps=\(rate)", of: server)
                for instant in Self.instants { write("moving", "\(path)?at=\(instant)", of: server) }
            }
        }
        world.run(until: world.now + .seconds(1))
    }

    /// The text of an answer's last member of this name.
    private static func text(of member: String, in body: String) -> String? {
        body.ranges(of: "\"\(member)\":\"").last.map { String(body[$0.upperBound...].prefix { $0 != "\"" }) }
    }
}
