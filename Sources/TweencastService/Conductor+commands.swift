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
        turnCommands += 1
        if let refusal {
            request.exchange?.send(.problem(refusal))
            return
        }
        if let retry = request.retry, let exchange = request.exchange, isSettled(retry, request, exchange, at: now) {
            return
        }
        if request.command.isSweep, engine.isSweeping || sweeps.current != nil { return enqueue(request) }
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
            if let retry = request.retry, let name = request.name {
                let kept = KeptAnswer(status: 200, content: .stream(name, after: before))
                remember(retries.remember(kept, to: retry, at: now))
            }
            answer(request.exchange, .stream(opening(stream, of: request.name, after: before, at: now)))
            return
        }
        guard !request.command.isSweep || !engine.isSweeping else {
            sweeps.current = (request, acceptance)
            return
        }
        complete(request, acceptance, at: now)
    }

    /// Answers a command that was carried out.
    func complete(_ request: CommandRequest, _ acceptance: Acceptance, at now: Instant) {
        let response = response(to: request, acceptance, at: now)
        if let retry = request.retry {
            remember(retries.remember(KeptAnswer(response, showing: request.name), to: retry, at: now))
        }
        answer(request.exchange, .response(response))
    }

    // MARK: - Retries

    /// Answers a request that was answered before under the same key, or for whose answer there is no room.
    private func isSettled(
        _ retry: RetryKey, _ request: CommandRequest, _ exchange: any Exchange, at now: Instant
    ) -> Bool {
        if case .unknown = retries.finding(for: retry, at: now) {
            guard !retries.admits(retry, at: now) else { return false }
            exchange.send(.problem(noRoom(at: now)))
            return true
        }
        var stream: StreamRequest?
        if case .stream(let wanted) = request.answer { stream = wanted }
        answerAgain(retry, exchange, stream: stream, at: now)
        return true
    }

    /// Gives the answer again that was given under a key.
    /// - Parameter stream: What was asked of the answer's stream, where it is one.
    func answerAgain(_ retry: RetryKey, _ exchange: any Exchange, stream: StreamRequest?, at now: Instant) {
        guard case .answered(let kept) = retries.finding(for: retry, at: now) else {
            let problem = Problem(
                422, "Unprocessable Content", "this Idempotency-Key was used for a different request; use a new one")
            return answer(exchange, .response(.problem(problem)))
        }
        switch kept.content {
        case .body(let body):
            answer(exchange, .response(.again(kept, body: body)))
        case .resource(let name):
            guard let (body, revision) = resource(name, at: now) else { return answerGone(exchange) }
            var response = HTTPResponse.again(kept, body: body)
            response.headers.append(("ETag", "\"\(revision)\""))
            answer(exchange, .response(response))
        case .stream(let name, let event):
            guard var stream, engine.slot(of: name) != nil else { return answerGone(exchange) }
            guard let pattern = TopicPattern(kind: TopicKind(name.kind), parsing: name.id) else { return }
            stream.selection = TopicSelection([pattern])
            stream.lastEventID = event.description
            answer(exchange, .stream(StreamOpening(request: stream)))
        }
    }

    private func answerGone(_ exchange: any Exchange) {
        let problem = Problem(410, "Gone", "this request was carried out, but its resource has since been removed")
        answer(exchange, .response(.problem(problem)))
    }

    /// What a request with a key is told whose answer could not be kept.
    func noRoom(at now: Instant) -> Problem {
        Problem(
            503, "Service Unavailable",
            "there is no room to keep the answer for retries, so nothing was changed; try without Idempotency-Key",
            retryAfter: retries.secondsUntilRoom(at: now))
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
            turnBytes += body.count
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
