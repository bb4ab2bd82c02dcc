// One-time tickets, for readers that can't send headers, such as `EventSource`, and should not put a token into a URL.

import Base
import EventStream
import HTTPTransport
import Machine
import Tokens
import Tween
import Wire

extension Application {
    /// The query parameter that carries a ticket.
    static let ticketParameter = "ticket"
    /// The number of random bytes in a ticket.
    private static let ticketBytes = 24
    /// The maximum number of topics of a ticket: spending it reads them between two ticks.
    package static let ticketTopics = 1_000
    /// The maximum length of a ticket in bytes; longer texts are rejected unread.
    private static let longestTicket = 64

    /// Makes a ticket for those of the requested topics that the caller may subscribe to.
    func makeTicket(_ request: HTTPRequest, _ responder: any Responder, _ caller: Caller) throws(Problem) {
        let topics = try caller.narrowed(try StreamBody.topics(request.body, bounds))
        guard topics.patterns.count <= Self.ticketTopics else {
            throw Problem(400, "Bad Request", "a ticket is for at most \(Self.ticketTopics) topics; use prefixes")
        }
        // Requests that fail without conditions must fail in the same way with them (RFC 9110, 13.2.1).
        guard try meetsConditions(request, responder, isThere: false) else { return }
        let secret = configuration.secret(Self.ticketBytes)
        let ticket = Ticket(
            key: Self.key(of: secret), owner: caller.owner,
            grant: StreamGrant.bytes(caller.principal, topics: topics))
        var json = JSONWriter()
        let expires = Instant(nanoseconds: guards.now()).advanced(bySeconds: TicketBook.lifetime)
        json.object {
            $0.member("ticket", secret)
            $0.member("expires", date: expires)
        }
        // Sent when the ticket is valid on all replicas.
        let response = PendingResponse(responder, .made(.json(201, json.bytes)))
        try submit(.change(.ticketMade(ticket, nil), response))
    }

    /// Opens a stream for the bearer of a ticket, once the ticket is spent.
    func open(
        _ stream: StreamRequest, bringing ticket: String, _ request: HTTPRequest, _ responder: any Responder,
        _ caller: Caller
    ) throws(Problem) {
        try spend(ticket, request, responder, caller) { [self, peer = request.peer] bearer throws(Problem) in
            var stream = stream
            stream.parts = try bearer.narrowed(stream.parts)
            guard admit(bearer, to: &stream, peer: peer, byTicket: true) else {
                return bye(bearer, stream, responder)
            }
            try open(stream, request, responder)
        }
    }

    /// Continues with the owner of a ticket, once the ticket is spent.
    func spend(
        _ ticket: String, _ request: HTTPRequest, _ responder: any Responder, _ caller: Caller,
        then goOn: @escaping @Sendable (Caller) throws(Problem) -> Void
    ) throws(Problem) {
        guard request.method != "HEAD" else {
            throw Problem(400, "Bad Request", "a ticket is spent by the GET that opens its stream")
        }
        guard ticket.utf8.count <= Self.longestTicket else { throw Self.worthless }
        let address = caller.address
        // Each lookup is a request to the board, on all its replicas.
        guard guards.limits.maySendUnknownToken(address, at: guards.uptime()) else {
            throw guards.limits.refuseToken(of: address)
        }
        let spending: Spending = { [self] grant in
            do throws(Problem) {
                try goOn(bearer(of: grant, at: address))
            } catch {
                responder.send(.problem(error))
            }
        }
        let response = PendingResponse(responder, .spending(spending))
        try submit(.change(.ticketSpent(key: Self.key(of: ticket), nil), response))
    }

    private func bearer(of grant: [UInt8]?, at address: String) throws(Problem) -> Caller {
        guard let grant, let bearer = try? StreamGrant.bearer(grant), guards.authority?.honours(bearer) ?? true,
            guards.now() < bearer.expires
        else {
            guards.limits.recordRefusedToken(address, at: guards.uptime())
            throw Self.worthless
        }
        // Tickets of one owner share the owner's places.
        return Caller(bearer, at: address)
    }

    /// Does not say why a ticket is worthless: only its owner may know that it ever was valid.
    private static let worthless = Problem(
        401, "Unauthorized", "unknown, expired or used ticket; POST /v1/tickets for another")

    private static func key(of ticket: String) -> String { SecretDigest(of: ticket.utf8).hexadecimal }
}
