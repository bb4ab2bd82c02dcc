// The files that say who may do what: read at the start, and again when the operator asks for it.

import Gateway
import HTTPTransport
import Tokens
import TweencastService
import Wire

/// What `--auth` names.
struct TokenSources: Sendable {
    /// What a file holds.
    enum Kind: String, CaseIterable {
        /// Tokens and what they allow, as JSON.
        case tokens
        /// A JSON Web Key Set.
        case jwks
        /// One key for JWTs: a secret, or in PEM.
        case hs256, rs256, es256, eddsa

        var algorithm: JWTAlgorithm? {
            switch self {
            case .tokens, .jwks: nil
            case .hs256: .hs256
            case .rs256: .rs256
            case .es256: .es256
            case .eddsa: .edDSA
            }
        }
    }

    struct Source: Sendable {
        var kind: Kind
        var path: String
    }

    var sources: [Source] = []
    var issuer: String?
    var audience: String?
    /// Seconds.
    var leeway = AccessPolicy().leeway

    static let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")

    /// - Parameter text: `tokens:/etc/tweencast/tokens.json`.
    /// - Returns: false for what is no source.
    mutating func add(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: parts[0].lowercased()) else { return false }
        sources.append(Source(kind: kind, path: String(parts[1])))
        return true
    }

    var isEmpty: Bool { sources.isEmpty }

    /// Reads all files.
    /// - Returns: Or which file is wrong, and why; never what a secret is.
    func policy() -> Result<AccessPolicy, PolicyFailure> {
        do throws(PolicyFailure) {
            return .success(try read())
        } catch {
            return .failure(error)
        }
    }

    private func read() throws(PolicyFailure) -> AccessPolicy {
        var policy = AccessPolicy()
        (policy.issuer, policy.audience, policy.leeway) = (issuer, audience, leeway)
        let books = sources.filter { $0.kind == .tokens }
        guard books.count <= 1 else { throw PolicyFailure("--auth: only one file of tokens can be given") }
        if let book = books.first { policy.tokens = try Self.book(book.path) }
        policy.keys = JWTKeySet(try keys())
        return policy
    }

    /// The keys of JWTs.
    func keys() throws(PolicyFailure) -> [JWTKey] {
        var keys: [JWTKey] = []
        for source in sources where source.kind != .tokens {
            let bytes = try Self.contents(source.path)
            do throws(JWTKeyError) {
                if let algorithm = source.kind.algorithm {
                    keys.append(try JWTKey(algorithm, file: bytes))
                } else {
                    keys += try JWTKeySet.keys(ofJWKS: bytes)
                }
            } catch {
                throw PolicyFailure("--auth: \(source.path): \(error)")
            }
        }
        return keys
    }

    private static func book(_ path: String) throws(PolicyFailure) -> TokenBook {
        let bytes = try contents(path)
        do throws(Problem) {
            return try TokenBook(try TokenFile(bytes))
        } catch {
            throw PolicyFailure("--auth: \(path): \(error.pointer.map { "\($0) " } ?? "")\(error.detail)")
        }
    }

    private static func contents(_ path: String) throws(PolicyFailure) -> [UInt8] {
        do throws(FileBytes.Failure) {
            return try FileBytes.read(path, limit: TokenFile.maximumBytes)
        } catch {
            switch error {
            case .unreadable: throw PolicyFailure("--auth: \(path) can't be read")
            case .tooLong: throw PolicyFailure("--auth: \(path) is longer than \(TokenFile.maximumBytes) bytes")
            }
        }
    }
}
