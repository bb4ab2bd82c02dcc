// The tokens of a world's clients, and what each of them may do.

import Gateway
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
    let areRequired: Bool

    /// The header that carries a token; none where no server asks for it.
    func headers(of bearer: Bearer) -> [(name: String, value: String)] {
        areRequired && bearer != .nobody ? [("Authorization", "Bearer \(bearer.token)")] : []
    }

    /// What the servers know; nil if they require no tokens.
    func authority() throws(Problem) -> TokenAuthority? {
        guard areRequired else { return nil }
        let entries =
            (0..<Self.writers).map { number in
                Self.entry(.writer(number), publish: Self.changed(by: number), subscribe: Self.own(of: number))
            }
            + [
                Self.entry(.reader, subscribe: ["*"]), Self.entry(.narrowReader, subscribe: Self.narrowTopics),
                Self.entry(.mute, publish: ["notification=mute"]), Self.entry(.auditor, isAdmin: true),
            ]
        var policy = AccessPolicy()
        policy.tokens = try TokenBook(try TokenFile(Array(#"{"tokens":[\#(entries.joined(separator: ","))]}"#.utf8)))
        return TokenAuthority(policy)
    }

    private static func entry(
        _ bearer: Bearer, publish: [String] = [], subscribe: [String] = [], isAdmin: Bool = false
    ) -> String {
        #"{"name":"\#(bearer.name)","token":"\#(bearer.token)","publish":\#(list(publish)),"#
            + #""subscribe":\#(list(subscribe)),"admin":\#(isAdmin)}"#
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
