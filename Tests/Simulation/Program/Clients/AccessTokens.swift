// The tokens of a world's clients, and what each of them may do.

import Gateway
import Tokens
import Wire

/// Whose token a request carries.
enum Bearer: Hashable {
    /// The writer of this number, who may change and read its own numbers and schedules, and the sum.
    case writer(Int)
    /// Who may read everything.
    case reader
    /// Who may read the numbers of the first writer, and notifications.
    case narrowReader
    /// Who may do nothing that any client here does.
    case mute
    /// Who may do everything.
    case auditor
    /// Whose token no server knows.
    case stranger
    /// Who has no token.
    case nobody

    fileprivate var name: String {
        switch self {
        case .writer(let number): "writer-\(number)"
        default: "\(self)"
        }
    }

    fileprivate var token: String { "token-of-\(name)-in-simulated-worlds" }
}

/// Tokens, in worlds whose servers require them.
struct AccessTokens {
    /// The most writers that have tokens.
    static let writers = 3
    /// The topics that the narrow reader is sent of all.
    static let narrowTopics = ["ticker=w0-*", "notification=*"]
    /// Seconds by which a server lets a signed token live longer.
    private static let leeway = 1.0
    private static let secret = "key-of-simulated-worlds-with-32-bytes-or-more"
    let areRequired: Bool

    /// The header that carries a token; none where no server asks for it.
    func headers(of bearer: Bearer) -> [(name: String, value: String)] {
        areRequired && bearer != .nobody ? [("Authorization", "Bearer \(bearer.token)")] : []
    }

    /// What the servers know; nil if they require no tokens.
    func authority() throws -> TokenAuthority? {
        guard areRequired else { return nil }
        let bearers = (0..<Self.writers).map(Bearer.writer) + [.reader, .narrowReader, .mute, .auditor]
        let entries = bearers.map { #"{"name":"\#($0.name)","token":"\#($0.token)",\#(Self.rights(of: $0))}"# }
        var policy = AccessPolicy()
        policy.tokens = try TokenBook(try TokenFile(Array(#"{"tokens":[\#(entries.joined(separator: ","))]}"#.utf8)))
        policy.keys = JWTKeySet([try Self.key()])
        policy.leeway = Self.leeway
        return TokenAuthority(policy)
    }

    /// Signs a token with the rights of a bearer.
    /// - Parameters:
    ///   - now: Unix nanoseconds.
    ///   - time: Nanoseconds after which servers refuse it.
    func sign(_ bearer: Bearer, at now: Int64, for time: Int64) -> String? {
        let end = Double(now + time) / 1e9 - Self.leeway
        let claims = #"{"sub":"\#(bearer.name)","exp":\#(end),"tweencast":{\#(Self.rights(of: bearer))}}"#
        return try? Self.key().sign(claims: Array(claims.utf8))
    }

    private static func key() throws(JWTKeyError) -> JWTKey { try JWTKey(.hs256, file: Array(secret.utf8)) }

    /// As members of an object.
    private static func rights(of bearer: Bearer) -> String {
        let (publish, subscribe): ([String], [String]) =
            switch bearer {
            case .writer(let number): (changed(by: number), own(of: number))
            case .reader: ([], ["*"])
            case .narrowReader: ([], narrowTopics)
            case .mute: (["notification=mute"], [])
            case .auditor, .stranger, .nobody: ([], [])
            }
        return #""publish":\#(list(publish)),"subscribe":\#(list(subscribe)),"admin":\#(bearer == .auditor)"#
    }

    private static func list(_ texts: [String]) -> String {
        "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }

    private static func own(of writer: Int) -> [String] {
        ["ticker", "progress", "schedule"].map { "\($0)=w\(writer)-*" } + ["ticker=sum"]
    }

    /// Only the first writer may change all schedules at once.
    private static func changed(by writer: Int) -> [String] {
        let lists = ["then", "else", "fired"].flatMap { ["ticker=\($0)-\(writer)", "notification=\($0)-\(writer)"] }
        return own(of: writer) + lists + ["ticker=late-\(writer)", "notification=note-\(writer)"]
            + (writer == 0 ? ["schedule=*"] : [])
    }
}
