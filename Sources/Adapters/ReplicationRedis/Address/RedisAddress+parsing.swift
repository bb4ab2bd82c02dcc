// Parses a Redis address. Errors name the part that is wrong.

import Glibc

extension RedisAddress {
    private static let defaultPort: UInt16 = 6379
    private static let sentinelPort: UInt16 = 26379

    /// - Throws: What to write instead, for a log or a usage text.
    package init(_ text: String) throws(RedisAddressError) {
        let form = try Form(text)
        let parameters = try Parameters(form.query, isSocket: form.isSocket)
        let (login, place) = form.splitAuthority()
        var endpoints: [RedisEndpoint]
        let database: Int
        if form.isSocket {
            guard place.isEmpty else {
                throw RedisAddressError(.path, "a socket has no host, but three slashes: unix:///run/redis/redis.sock")
            }
            endpoints = [try Self.socket(form.path)]
            database = try Self.database(parameters["db"] ?? "0")
        } else {
            let port = parameters["sentinel"] == nil ? Self.defaultPort : Self.sentinelPort
            endpoints = []
            for host in place.split(separator: ",", omittingEmptySubsequences: false) {
                endpoints.append(try Self.host(host, defaultPort: port))
            }
            database = try Self.database(form.path.dropFirst().isEmpty ? "0" : form.path.dropFirst())
        }
        self.init(
            board: try Self.board(parameters["name"]), endpoints: endpoints, database: database,
            credentials: try login.map { login throws(RedisAddressError) in try Self.credentials(login) },
            sentinel: try Self.sentinel(parameters))
    }

    private static func host(_ text: Substring, defaultPort: UInt16) throws(RedisAddressError) -> RedisEndpoint {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            let address = String(text[text.index(after: text.startIndex)..<end])
            var bytes = [UInt8](repeating: 0, count: 16)
            guard unsafe inet_pton(AF_INET6, address, &bytes) == 1 else {
                throw RedisAddressError(.host, "brackets must contain an IPv6 address, as in redis://[::1]:6379")
            }
            return .tcp(host: address, port: try port(text[text.index(after: end)...], default: defaultPort))
        }
        let name = text.prefix { $0 != ":" }
        guard !name.isEmpty else {
            throw RedisAddressError(.host, "a host is missing: redis://HOST:6379?name=BOARD")
        }
        guard name.utf8.allSatisfy(\.isNameCharacter), name.utf8.count <= 253 else {
            throw RedisAddressError(.host, "a host is a name or an address, an IPv6 address in brackets: redis://[::1]")
        }
        return .tcp(host: String(name), port: try port(text[name.endIndex...], default: defaultPort))
    }

    /// - Parameter text: Empty, or a colon and a number.
    private static func port(_ text: Substring, default: UInt16) throws(RedisAddressError) -> UInt16 {
        if text.isEmpty { return `default` }
        guard text.hasPrefix(":"), let port = number(text.dropFirst(), upTo: 65_535), port > 0 else {
            throw RedisAddressError(.port, "a port is a number from 1 to 65535 behind a colon: redis://HOST:6379")
        }
        return UInt16(port)
    }

    private static func socket(_ path: Substring) throws(RedisAddressError) -> RedisEndpoint {
        guard let decoded = path.percentDecoded, decoded.utf8.count > 1, !decoded.utf8.contains(0) else {
            throw RedisAddressError(.path, "the path of the socket is missing: unix:///run/redis/redis.sock?name=BOARD")
        }
        guard decoded.utf8.count <= RedisEndpoint.longestPath else {
            throw RedisAddressError(
                .path, "the socket's path has more than \(RedisEndpoint.longestPath) bytes: link a shorter one to it")
        }
        return .unix(path: decoded)
    }

    private static func database(_ text: Substring) throws(RedisAddressError) -> Int {
        guard let number = number(text, upTo: Int(Int32.max)) else {
            throw RedisAddressError(
                .database, "the database is a number: redis://HOST/0?name=BOARD, unix:///PATH?db=0&name=BOARD")
        }
        return number
    }

    private static func board(_ text: Substring?) throws(RedisAddressError) -> String {
        guard let name = text?.percentDecoded, name.isName, name.utf8.count <= 64 else {
            throw RedisAddressError(
                .name, "the board needs a name of 1 to 64 letters, digits, dots, _ and -: redis://HOST?name=BOARD")
        }
        return name
    }

    private static func credentials(_ login: Substring) throws(RedisAddressError) -> RedisCredentials {
        guard let colon = login.firstIndex(of: ":") else {
            throw RedisAddressError(
                .credentials,
                "a login has a colon: redis://user:password@HOST, or redis://:password@HOST without a user")
        }
        return try credentials(user: login[..<colon], password: login[login.index(after: colon)...])
    }

    private static func credentials(
        user: Substring, password: Substring
    ) throws(RedisAddressError) -> RedisCredentials {
        guard let user = user.percentDecoded, let password = password.percentDecoded else {
            throw RedisAddressError(.credentials, "in a user or password a percent sign is written %25")
        }
        guard !user.isEmpty || !password.isEmpty else {
            throw RedisAddressError(.credentials, "the login is empty: redis://user:password@HOST, or redis://HOST")
        }
        return RedisCredentials(user: user.isEmpty ? nil : user, password: password)
    }

    private static func sentinel(_ parameters: Parameters) throws(RedisAddressError) -> Sentinel? {
        let user = parameters["sentinel-user"]
        let password = parameters["sentinel-password"]
        guard let master = parameters["sentinel"] else {
            guard user == nil, password == nil else {
                throw RedisAddressError(
                    .sentinel,
                    "sentinel-user and sentinel-password go with sentinel=MASTER, where the hosts are Sentinels")
            }
            return nil
        }
        guard let name = master.percentDecoded, name.isName else {
            throw RedisAddressError(
                .sentinel, "sentinel is the name under which the master is watched, of letters, digits, dots, _ and -")
        }
        guard user == nil || password != nil else {
            throw RedisAddressError(.sentinel, "sentinel-user goes with sentinel-password")
        }
        guard let password else { return Sentinel(master: name, credentials: nil) }
        return Sentinel(master: name, credentials: try credentials(user: (user ?? "")[...], password: password[...]))
    }

    private static func number(_ text: Substring, upTo limit: Int) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(text),
            number <= limit
        else { return nil }
        return number
    }
}

extension String {
    fileprivate var isName: Bool { !isEmpty && utf8.allSatisfy(\.isNameCharacter) }
}

/// The text split at its outermost separators.
private struct Form {
    let isSocket: Bool
    /// Login and hosts.
    let authority: Substring
    /// Empty, or beginning with a slash.
    let path: Substring
    let query: Substring

    init(_ text: String) throws(RedisAddressError) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw RedisAddressError(
                .characters, "an address is plain ASCII without spaces; others are written as %C3%A9")
        }
        guard let separator = text.firstRange(of: "://") else {
            throw RedisAddressError(.scheme, "an address begins with redis://, valkey:// or unix://")
        }
        // proven: both bounds were found in this text.
        isSocket = try Self.isSocket(scheme: text[..<separator.lowerBound].lowercased())
        let rest = text[separator.upperBound...]
        let place = rest.prefix { $0 != "?" }
        authority = place.prefix { $0 != "/" }
        path = place[authority.endIndex...]
        query = rest[place.endIndex...].dropFirst()
        // A password with an unencoded slash would be split there, and its rest might be quoted in an error.
        guard !rest.contains("#"), !path.contains("@"), !query.contains("@") else {
            throw RedisAddressError(
                .characters,
                "in a user or password / is written %2F, ? %3F and # %23; behind the hosts @ is written %40")
        }
    }

    private static func isSocket(scheme: String) throws(RedisAddressError) -> Bool {
        switch scheme {
        case "redis", "valkey": return false
        case "unix", "redis+unix", "valkey+unix": return true
        case "rediss", "valkeys":
            throw RedisAddressError(
                .encryption,
                "the client library of this build has no TLS: use redis:// to a stunnel or another proxy that speaks TLS,"
                    + " or to a private network, or unix://")
        default: throw RedisAddressError(.scheme, "an address begins with redis://, valkey:// or unix://")
        }
    }

    /// Returns the login, nil without one, and the hosts.
    func splitAuthority() -> (login: Substring?, hosts: Substring) {
        guard let at = authority.lastIndex(of: "@") else { return (nil, authority) }
        return (authority[..<at], authority[authority.index(after: at)...])
    }
}

/// The query's parameters, still encoded.
private struct Parameters {
    private var values: [Substring: Substring] = [:]

    init(_ query: Substring, isSocket: Bool) throws(RedisAddressError) {
        let known: Set<Substring> =
            isSocket ? ["name", "db"] : ["name", "sentinel", "sentinel-user", "sentinel-password"]
        for pair in query.split(separator: "&") {
            let name = pair.prefix { $0 != "=" }
            guard known.contains(name) else { throw Self.unknown(name, isSocket: isSocket) }
            guard values.updateValue(pair[name.endIndex...].dropFirst(), forKey: name) == nil else {
                throw RedisAddressError(.parameter, "a parameter is repeated")
            }
        }
    }

    subscript(name: Substring) -> Substring? { values[name] }

    private static func unknown(_ name: Substring, isSocket: Bool) -> RedisAddressError {
        if isSocket { return RedisAddressError(.parameter, "a socket's address takes only the parameters name and db") }
        if name == "db" { return RedisAddressError(.database, "the database stands behind the host: redis://HOST/0") }
        return RedisAddressError(
            .parameter, "the parameters of an address are name, sentinel, sentinel-user and sentinel-password")
    }
}
