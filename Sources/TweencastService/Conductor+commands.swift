// Changes: applied at once, answered with the commit that holds them.

import Board
import EventStream
import HTTPTransport
import Storage
import Tween
import Wire

extension ResourceName {
    /// The resource's path.
    fileprivate var location: String {
        switch kind {
        case .ticker: "/v1/tickers/\(id)"
        case .progress: "/v1/progress/\(id)"
        case .schedule: "/v1/schedules/\(id)"
        }
    }
}

extension Conductor {
    func apply(_ request: CommandRequest, at now: Instant) {
        if let outage {
            answer(request.exchange, .response(.problem(Problem(outage.error))))
            return
        }
        if let response = replay(request.retry, at: now) {
            answer(request.exchange, .response(response))
            return
        }
        let before = hub.lastEventID
        let acceptance: Acceptance
        do throws(CommandError) {
            acceptance = try engine.apply(request.command, at: now, expecting: request.expected)
        } catch {
            answer(request.exchange, .response(.problem(Problem(error))))
            return
        }
        statistics.commands += 1
        publishEvents(at: now)
        if case .stream(let stream) = request.answer {
            answer(request.exchange, .stream(opening(stream, of: request.name, after: before, at: now)))
            return
        }
        let response = response(to: request, acceptance, at: now)
        if let retry = request.retry {
            remember(retries.remember(retry, status: response.status, body: response.body, at: now))
        }
        answer(request.exchange, .response(response))
    }

    func apply(_ request: BatchRequest, at now: Instant) {
        if let outage {
            answer(request.exchange, .response(.problem(Problem(outage.error))))
            return
        }
        if let response = replay(request.retry, at: now) {
            answer(request.exchange, .response(response))
            return
        }
        var body: [UInt8] = []
        for line in request.lines {
            body.append(contentsOf: outcome(of: line, at: now))
            body.append(UInt8(ascii: "\n"))
        }
        publishEvents(at: now)
        if let retry = request.retry {
            remember(retries.remember(retry, status: 200, body: body, at: now))
        }
        answer(request.exchange, .response(.lines(body)))
    }

    private func outcome(of line: Result<Command, Problem>, at now: Instant) -> [UInt8] {
        switch line {
        case .failure(let problem):
            return problem.body
        case .success(let command):
            do throws(CommandError) {
                let acceptance = try engine.apply(command, at: now)
                var json = JSONWriter()
                json.object {
                    $0.member("status", acceptance.created ? 201 : 200)
                    if acceptance.revision > 0 { $0.member("revision", String(acceptance.revision)) }
                    if let animation = acceptance.animation { $0.member("animation", String(animation)) }
                }
                return json.bytes
            } catch {
                return Problem(error).body
            }
        }
    }

    /// The answer to a request that was answered before under the same key.
    private func replay(_ retry: RetryKey?, at now: Instant) -> HTTPResponse? {
        guard let retry else { return nil }
        switch retries.finding(for: retry, at: now) {
        case .unknown: return nil
        case .answered(let status, let body): return status == 204 ? .noContent : .json(status, body)
        case .differs:
            return .problem(
                Problem(422, "Unprocessable Content", "this Idempotency-Key was used for another request"))
        }
    }

    private func response(
        to request: CommandRequest, _ acceptance: Acceptance, at now: Instant
    ) -> HTTPResponse {
        switch request.answer {
        case .noContent, .stream:
            return .noContent
        case .schedules:
            var json = JSONWriter()
            json.object { appendScheduleHead(to: &$0) }
            return .json(200, json.bytes)
        case .resource(let status, let created):
            guard let name = request.name, let (body, revision) = resource(name, preview: request.preview, at: now)
            else { return .noContent }
            return .resource(
                acceptance.created ? created : status, body, revision: revision,
                location: acceptance.created ? name.location : nil)
        }
    }

    /// The stream that answers an update: the motion's first frame, then what follows it, whatever the commit took.
    private func opening(
        _ stream: StreamRequest, of name: ResourceName?, after event: EventID?, at now: Instant
    ) -> StreamOpening {
        var prelude: [UInt8] = []
        text.removeAll(keepingCapacity: true)
        if let name, let track = engine.track(name), track.run != nil {
            prelude = SSE.frame(payload(of: track, variant: stream.variant, at: now))
        }
        return StreamOpening(request: stream, after: event, prelude: prelude, preludeText: text)
    }

    /// Sends the answers of a turn, or says that the store could not take their changes. Runs on the store's thread.
    static func deliver(
        _ answers: [Outgoing], _ result: Result<Void, StoreError>, to acceptor: any StreamAcceptor,
        post: @escaping @Sendable (Message) -> Void
    ) {
        if case .failure(let error) = result { post(.storeFailed(error)) }
        for outgoing in answers {
            if case .failure(let error) = result {
                outgoing.exchange.send(.problem(Problem(error)))
                continue
            }
            switch outgoing.form {
            case .response(let response):
                outgoing.exchange.send(response)
            case .stream(let opening):
                outgoing.exchange.stream(
                    headers: StreamHead.headers, to: acceptor, context: StreamHandover(opening, post: post))
            }
        }
    }
}
