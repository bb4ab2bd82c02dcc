// The files that grant rights, read at start and on each reload.

import Gateway
import OperatingSystem
import Tokens
import TweencastService
import Wire

/// The sources that `--auth` names.
struct TokenSources: Sendable {
    /// The type of a file.
    enum Kind: String, CaseIterable {
        /// Tokens and their rights, as JSON.
        case tokens
        /// A JSON Web Key Set.
        case jwks
        /// One key for JWTs: a secret, or PEM.
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

    /// Adds a source.
    /// - Parameter text: `tokens:/etc/tweencast/tokens.json`.
    /// - Returns: false if the text is invalid.
    mutating func add(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: parts[0].lowercased()) else { return false }
        sources.append(Source(kind: kind, path: String(parts[1])))
        return true
    }

    var isEmpty: Bool { sources.isEmpty }

    /// Reads all files.
    /// - Returns: The policy, or a failure that says which file is wrong and why. A failure never contains a secret.
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

    /// Returns the keys for JWTs.
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

    /// Reads a file of tokens or keys.
    /// - Parameter flag: The flag that names it, for errors.
    static func contents(_ path: String, of flag: String = "--auth") throws(PolicyFailure) -> [UInt8] {
        do throws(FileBytes.Failure) {
            return try FileBytes.read(path, limit: TokenFile.maximumBytes)
        } catch {
            switch error {
            case .unreadable: throw PolicyFailure("\(flag): \(path) can't be read")
            case .tooLong: throw PolicyFailure("\(flag): \(path) is longer than \(TokenFile.maximumBytes) bytes")
            }
        }
    }
}
