// `tweencast token`: makes a JWT, or a token with an entry in the file of tokens.

import Gateway
import Glibc
import OperatingSystem
import Tokens
import TweencastService
import Wire

/// Makes a token with these properties.
struct TokenCommand: Hashable, Sendable {
    /// The holder's name.
    var name = "me"
    var publish: [String] = []
    var subscribe: [String] = []
    var isAdmin = false
    /// The file of tokens that the entry is added to; nil prints the entry.
    var file: String?
    /// The token's lifetime in seconds; nil for an hour (a JWT), or until it is removed from the file (a file token).
    var seconds: Int?

    /// The longest lifetime: a year.
    private static let longest = 31_536_000
    private static let usualSeconds = 3_600

    private static let flags = ["--name", "--publish", "--subscribe", "--admin", "--for", "--into"]

    /// Removes its own flags at any position; the rest belong to the server.
    init(_ rest: inout ArraySlice<String>) throws(CommandLineOptions.Refusal) {
        var others: [String] = []
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let flag = parts.first, Self.flags.contains(flag) else {
                others.append(argument)
                continue
            }
            if flag == "--admin", parts.count == 1 {
                isAdmin = true
                continue
            }
            // An option isn't taken for the value that was forgotten.
            let isMissing = parts.count == 1 && (rest.first.map(Self.flags.contains) ?? true)
            guard flag != "--admin", !isMissing, let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw CommandLineOptions.Refusal(message: "\(flag) \(flag == "--admin" ? "takes no" : "needs a") value")
            }
            try set(flag, value)
        }
        rest = others[...]
    }

    private mutating func set(_ flag: String, _ value: String) throws(CommandLineOptions.Refusal) {
        switch flag {
        case "--name":
            guard TokenFile.isName(value), value != Principal.anonymousName else {
                throw CommandLineOptions.Refusal(
                    message: "--name: must be 1 to \(TokenFile.longestName) bytes, and not \(Principal.anonymousName)")
            }
            name = value
        case "--publish": publish += try Self.topics(value, flag)
        case "--subscribe": subscribe += try Self.topics(value, flag)
        case "--into": file = value
        default:
            guard let number = Int(value), (1...Self.longest).contains(number) else {
                throw CommandLineOptions.Refusal(
                    message: "--for: must be seconds from 1 to \(Self.longest), not \(value)")
            }
            seconds = number
        }
    }

    private static func topics(_ text: String, _ flag: String) throws(CommandLineOptions.Refusal) -> [String] {
        let topics = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for topic in topics where Rights.patterns(topic) == nil {
            throw CommandLineOptions.Refusal(
                message: "\(flag): must be topics such as ticker=shop-*, or * for everything, not \(topic)")
        }
        return topics
    }

    /// Random bytes of a file token.
    private static let secretBytes = 32

    /// Makes a JWT, signed with the first key that can sign. Without a key, or for a file, makes a file token.
    /// - Returns: The output, with the token on its own line.
    func run(_ sources: TokenSources) throws(PolicyFailure) -> String {
        if let file { return try addFileToken(to: file) }
        let keys = try sources.keys()
        guard !keys.isEmpty else {
            let (token, entry) = fileToken()
            return "\(token)\n" + String(decoding: entry, as: UTF8.self) + "\n"
        }
        var claims = TokenClaims()
        (claims.issuer, claims.subject) = (sources.issuer, name)
        claims.audience = sources.audience.map { [$0] } ?? []
        claims.id = SecureRandom.text(bytes: 12)
        let now = Int64(time(nil))
        let bytes = TokenClaims.bytes(
            claims, publish: publish, subscribe: subscribe, isAdmin: isAdmin, issued: now,
            expires: now + Int64(seconds ?? Self.usualSeconds))
        var reason = ""
        for key in keys {
            do throws(JWTKeyError) {
                return try key.sign(claims: bytes) + "\n"
            } catch {
                reason = "\(error)"
            }
        }
        throw PolicyFailure("--auth: none of the keys can sign: \(reason)")
    }

    private func fileToken() -> (token: String, entry: [UInt8]) {
        let token = SecureRandom.text(bytes: Self.secretBytes)
        let entry = TokenFile.entry(
            name, sha256: SecretDigest(of: token.utf8).hexadecimal,
            expires: seconds.map { Int64(time(nil)) + Int64($0) }
        ) {
            GrantText.append(publish, subscribe, isAdmin, to: &$0)
        }
        return (token, entry)
    }

    /// Adds a token's entry to a file, which is made if it is missing.
    /// - Returns: The token, which is told nowhere else.
    private func addFileToken(to path: String) throws(PolicyFailure) -> String {
        let (token, entry) = fileToken()
        let file: FileReplacement
        do throws(FileReplacement.Failure) {
            file = try FileReplacement(of: path)
        } catch {
            throw PolicyFailure("--into: \(path): \(error)")
        }
        let text = file.exists ? try TokenSources.contents(path, of: "--into") : []
        let longer = try adding(entry, to: text, path)
        do throws(FileReplacement.Failure) {
            try file.write(longer)
        } catch {
            throw PolicyFailure("--into: \(path) can't be written: \(error)")
        }
        return token + "\n"
    }

    private func adding(_ entry: [UInt8], to text: [UInt8], _ path: String) throws(PolicyFailure) -> [UInt8] {
        let (longer, isNamed): ([UInt8], Bool)
        do throws(Problem) {
            isNamed = text.isEmpty ? false : try TokenFile(text).tokens.contains { $0.name == name }
            longer = try TokenFile.adding(entry, to: text)
        } catch {
            throw PolicyFailure("--into: \(path): \(error.pointer.map { "\($0) " } ?? "")\(error.detail)")
        }
        guard !isNamed else {
            throw PolicyFailure(
                "--into: \(path) has a token of \(name) already; choose another --name, or remove that one")
        }
        return longer
    }
}
