// Where a board is kept, as an operator writes it: `redis://user:password@host:6379/0?name=board`.

/// A node's address.
package enum RedisEndpoint: Hashable, Sendable, CustomStringConvertible {
    case host(String, port: UInt16)
    /// A unix socket.
    case path(String)

    package var description: String {
        switch self {
        case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .path(let path): path
        }
    }
}

/// Who asks.
package struct RedisCredentials: Hashable, Sendable {
    /// Nil for the default user.
    package var user: String?
    package var password: String
}

/// A board on a Redis, or on what speaks like one.
package struct RedisAddress: Hashable, Sendable {
    /// Tried in turn: a server, the nodes of a cluster, or Sentinels.
    package var endpoints: [RedisEndpoint]
    package var credentials: RedisCredentials?
    package var database = 0
    /// What all keys of the board have between braces.
    package var board: String
    /// The name by which Sentinels know the servers; nil where the endpoints are servers.
    package var sentinel: String?

    /// Why a text is no address, and what to write instead.
    package struct Refusal: Error, Hashable, Sendable {
        package let reason: String
    }

    private static let plainPort: UInt16 = 6_379
    private static let sentinelPort: UInt16 = 26_379
    /// The most characters of a board's name.
    private static let maximumName = 64

    /// Whether a text is meant to be one.
    package static func isMeant(by text: String) -> Bool {
        ["redis:", "rediss:", "valkey:", "valkeys:", "unix:", "redis+unix:"].contains {
            text.lowercased().hasPrefix($0)
        }
    }

    /// - Throws: `Refusal`, naming the part. It never holds the password.
    package init(_ text: String) throws(Refusal) {
        guard let separator = text.firstRange(of: "://") else {
            throw Refusal(reason: "must be redis://[user:password@]host[:port][/database]?name=BOARD")
        }
        let scheme = text.prefix(upTo: separator.lowerBound).lowercased()
        let isPath = try Self.isPath(scheme)
        let parts = text.suffix(from: separator.upperBound).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parameters = try Parameters(parts.count > 1 ? parts[1] : "")
        guard let board = parameters.name else { throw Refusal(reason: "needs ?name=BOARD: which board it is") }
        self.board = board
        sentinel = parameters.sentinel
        // A password may hold anything but what ends it.
        let authority = parts[0].split(separator: "@", omittingEmptySubsequences: false)
        guard authority.count <= 2 else { throw Refusal(reason: "an @ in the password must be written %40") }
        credentials = authority.count == 2 ? try Self.credentials(authority[0]) : nil
        let rest = authority.last ?? ""
        if isPath {
            guard rest.hasPrefix("/"), rest.count > 1 else {
                throw Refusal(reason: "needs the socket's path: unix:///run/redis.sock?name=BOARD")
            }
            guard sentinel == nil else { throw Refusal(reason: "Sentinels are reached by host and port") }
            endpoints = [.path(String(rest))]
            database = parameters.database ?? 0
        } else {
            let pieces = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let port = sentinel == nil ? Self.plainPort : Self.sentinelPort
            endpoints = []
            for host in pieces[0].split(separator: ",", omittingEmptySubsequences: false) {
                endpoints.append(try Self.endpoint(host, port))
            }
            database = try Self.database(pieces.count > 1 ? pieces[1] : "") ?? parameters.database ?? 0
        }
    }

    private static func isPath(_ scheme: String) throws(Refusal) -> Bool {
        switch scheme {
        case "redis", "valkey": return false
        case "unix", "redis+unix": return true
        case "rediss", "valkeys":
            throw Refusal(
                reason:
                    "TLS is not in the library that this program is built with; have stunnel or another proxy speak it "
                    + "and name that, or take a private network or a unix socket")
        default: throw Refusal(reason: "must begin with redis:// or unix://")
        }
    }

    private static func endpoint(_ text: Substring, _ usual: UInt16) throws(Refusal) -> RedisEndpoint {
        var host = text
        var port = usual
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text.suffix(from: text.index(after: end))
            if !rest.isEmpty { port = try Self.port(rest.dropFirst()) }
        } else if let colon = text.firstIndex(of: ":") {
            host = text.prefix(upTo: colon)
            port = try Self.port(text.suffix(from: text.index(after: colon)))
        }
        guard !host.isEmpty else { throw Refusal(reason: "a host is missing") }
        return .host(String(host), port: port)
    }

    private static func port(_ text: Substring) throws(Refusal) -> UInt16 {
        guard let port = UInt16(text), port > 0 else { throw Refusal(reason: "\(text) is no port, 1 to 65535") }
        return port
    }

    private static func database(_ text: Substring) throws(Refusal) -> Int? {
        if text.isEmpty { return nil }
        guard let number = Int(text), (0...65_535).contains(number) else {
            throw Refusal(reason: "/\(text) is no number of a database")
        }
        return number
    }

    private static func credentials(_ text: Substring) throws(Refusal) -> RedisCredentials {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let user = decoded(parts[0]), let password = decoded(parts[1]) else {
            throw Refusal(reason: "before the @ must be user:password, or :password")
        }
        return RedisCredentials(user: user.isEmpty ? nil : user, password: password)
    }

    /// Percent-decoded; nil for what is not encoded so.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// What stands behind the question mark.
    private struct Parameters {
        var name: String?
        var sentinel: String?
        var database: Int?

        init(_ text: Substring) throws(Refusal) {
            for item in text.split(separator: "&") {
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count == 2 ? parts[1] : ""
                switch parts[0] {
                case "name":
                    guard RedisAddress.isName(value) else {
                        throw Refusal(reason: "?name must be 1 to 64 of A-Z a-z 0-9 . _ -")
                    }
                    name = String(value)
                case "sentinel":
                    guard RedisAddress.isName(value) else {
                        throw Refusal(reason: "?sentinel must be the name that Sentinels know the servers by")
                    }
                    sentinel = String(value)
                case "db": database = try RedisAddress.database(value)
                default: throw Refusal(reason: "?\(parts[0]) is not known; there are name, sentinel and db")
                }
            }
        }
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...maximumName).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// A key of the board. All of them have the same tag, so that they lie on one node of a cluster.
    package func key(_ name: String) -> [UInt8] { Array("{\(board)}:\(name)".utf8) }
}

extension RedisAddress: CustomStringConvertible {
    /// Without the password.
    package var description: String {
        let hosts = endpoints.map(\.description).joined(separator: ",")
        return "board \(board) on \(hosts)" + (sentinel.map { " (Sentinel \($0))" } ?? "")
    }
}
