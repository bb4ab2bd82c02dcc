// One request and its answer, retried for as long as it makes sense.

import HTTPClient

/// A request.
struct Request: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    let method: Method
    /// Behind the server's address.
    let path: String
    let body: String
    /// The `Idempotency-Key`, which makes a retry of a change safe.
    let key: String?

    init(_ method: Method, _ path: String, body: String = "", key: String? = nil) {
        self.method = method
        self.path = path
        self.body = body
        self.key = key
    }
}

/// Keys for updates.
package enum RetryKey {
    package static let refusal = "an Idempotency-Key has 1 to 255 printable ASCII characters"

    /// Returns whether a text can be one.
    package static func isValid(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && Client.canSend(text)
    }

    /// Returns a unique key: 128 random bits.
    static func new() -> String {
        var source = SystemRandomNumberGenerator()
        return [source.next(), source.next()].map { (part: UInt64) in String(part, radix: 36) }.joined(separator: "-")
    }
}

/// When a request is sent again.
struct RetryTimes: Sendable {
    /// How long retries may go on.
    let patience: Duration

    private static let first = 0.25
    private static let longest = 8.0
    /// What an attempt has at least, even without any patience.
    private static let leastAttempt = Duration.seconds(1)
    private static let longestAttempt = Duration.seconds(30)

    /// Returns how long to wait before the next attempt; nil if that would be too late.
    /// - Parameters:
    ///   - attempt: The number of the attempt that failed, from 1.
    ///   - asked: The answer's `Retry-After` in seconds.
    ///   - elapsed: Since the first attempt.
    ///   - jitter: 0 ≤ … < 1.
    func pause(after attempt: Int, asked: Int?, elapsed: Duration, jitter: Double) -> Duration? {
        let doubled = Self.first * Double(sign: .plus, exponent: min(attempt - 1, 16), significand: 1)
        let own = Duration.seconds(min(doubled, Self.longest) * (0.5 + 0.5 * jitter))
        let pause = max(own, .seconds(asked ?? 0))
        return elapsed + pause <= patience ? pause : nil
    }

    /// Returns how long an attempt may take: a server that accepts and never answers must not outlast the patience.
    /// - Parameter elapsed: Since the first attempt.
    func limit(elapsed: Duration) -> Duration {
        min(max(patience - elapsed, Self.leastAttempt), Self.longestAttempt)
    }
}

extension Client {
    /// The most bytes of an answer.
    private static let answerBytes = 16_777_216

    func state(_ kind: ResourceKind, _ id: String) async throws(ClientError) -> ResourceState {
        try ResourceState(json: try await answer(to: Request(.get, try kind.path(of: id))))
    }

    func send(
        _ update: Update, to kind: ResourceKind, _ id: String, _ key: String?
    ) async throws(ClientError) -> ResourceState {
        let request = Request(.post, try kind.path(of: id), body: try update.json, key: key ?? RetryKey.new())
        return try ResourceState(json: try await answer(to: request))
    }

    /// Returns the body of an answer that is a success.
    func answer(to request: Request) async throws(ClientError) -> [UInt8] {
        let times = RetryTimes(patience: configuration.patience)
        let clock = ContinuousClock()
        let start = clock.now
        var attempt = 1
        while true {
            let (error, asked): (ClientError, Int?)
            switch await attemptOnce(request, within: times.limit(elapsed: clock.now - start)) {
            case .success(let body): return body
            case .failure(let failure): (error, asked) = (failure.error, failure.retryAfter)
            }
            guard error.isTemporary,
                let pause = times.pause(
                    after: attempt, asked: asked, elapsed: clock.now - start, jitter: .random(in: 0..<1))
            else { throw error }
            configuration.onRetry?(error)
            guard (try? await Task.sleep(for: pause)) != nil else { throw .cancelled }
            attempt += 1
        }
    }

    private struct Failure: Error {
        let error: ClientError
        var retryAfter: Int?
    }

    private func attemptOnce(_ request: Request, within limit: Duration) async -> Result<[UInt8], Failure> {
        let transfer: TransferRequest
        do throws(ClientError) {
            transfer = try self.transfer(request, .whole(limit))
        } catch {
            return .failure(Failure(error: error))
        }
        let reception = transfers.begin(transfer)
        var body: [UInt8] = []
        while true {
            switch await reception.next() {
            case .bytes(let bytes):
                body += bytes
                guard body.count <= Self.answerBytes else {
                    reception.cancel()
                    return .failure(Failure(error: .notUnderstood(server: server)))
                }
            case .end(.complete(let head)):
                if (200..<300).contains(head.status) { return .success(body) }
                let problem = ClientError.Problem(status: head.status, body: body)
                return .failure(Failure(error: .refused(problem), retryAfter: head.retryAfter))
            case .end(.failed(let reason, let isFinal)):
                let error = ClientError.unreachable(server: server, reason: reason)
                return .failure(Failure(error: isFinal ? .refused(Self.local(reason)) : error))
            case .end(.cancelled): return .failure(Failure(error: .cancelled))
            }
        }
    }

    /// A problem that comes from no server, such as a certificate that isn't trusted.
    private static func local(_ reason: String) -> ClientError.Problem {
        ClientError.Problem(status: 0, detail: reason)
    }

    /// Returns a request for libcurl.
    func transfer(_ request: Request, _ bound: TransferRequest.Bound) throws(ClientError) -> TransferRequest {
        if let refusal = addressRefusal { throw .invalidRequest(refusal) }
        var headers: [String] = []
        if let token = configuration.token {
            guard Self.canSend(token) else { throw .invalidRequest(Self.tokenRefusal) }
            headers.append("Authorization: Bearer \(token)")
        }
        if let key = request.key {
            guard RetryKey.isValid(key) else { throw .invalidRequest(RetryKey.refusal) }
            headers.append("Idempotency-Key: \(key)")
        }
        if request.method == .post { headers += ["Content-Type: application/json", "Expect:"] }
        let body = request.method == .post ? Array(request.body.utf8) : nil
        var transfer = TransferRequest(url: server + request.path, body: body, headers: headers, bound: bound)
        transfer.authorities = configuration.authorities
        // An id may be two dots.
        transfer.keepsDots = true
        return transfer
    }
}
