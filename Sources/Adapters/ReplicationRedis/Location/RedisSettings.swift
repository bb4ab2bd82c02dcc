// The settings of a node that affect durability.

/// A node's settings; unknown ones are nil.
package struct RedisSettings: Hashable, Sendable {
    /// When appended writes reach the disk.
    package enum AppendSync: String, Hashable, Sendable {
        case always, everysec, no
    }

    package var version: RedisVersion?
    package var keepsAppendOnlyFile: Bool?
    /// Only `CONFIG` reports it, which providers may forbid.
    package var appendSync: AppendSync?
    /// Bytes; 0 for no limit.
    package var maximumMemory: Int64?
    package var evictionPolicy: String?

    /// Asks a node. `INFO` reports all but `appendSync`, and may be allowed where `CONFIG` isn't.
    package init(of connection: any RedisLink) throws(RedisError) {
        connection.append("INFO")
        connection.append("CONFIG", "GET", "appendfsync")
        let info = try connection.receive()
        let setting = try connection.receive()
        self.init(info: info.text ?? "", appendSync: setting.elements?.last?.text)
    }

    /// - Parameters:
    ///   - info: The reply to `INFO`; empty if it isn't allowed.
    ///   - appendSync: The value of `appendfsync`; nil if unknown.
    init(info: String, appendSync: String?) {
        var fields: [Substring: Substring] = [:]
        // Lines end with CR LF, which is one Character.
        for line in info.split(whereSeparator: \.isNewline) {
            let name = line.prefix { $0 != ":" }
            fields[name] = line[name.endIndex...].dropFirst()
        }
        version = fields["redis_version"].flatMap { RedisVersion($0) }
        keepsAppendOnlyFile = fields["aof_enabled"].map { $0 != "0" }
        maximumMemory = fields["maxmemory"].flatMap { Int64($0) }
        evictionPolicy = fields["maxmemory_policy"].map(String.init)
        self.appendSync = appendSync.flatMap(AppendSync.init(rawValue:))
    }

    /// - Throws: `unsuitable` for a server without streams.
    package func checkVersion() throws(RedisError) {
        guard let version, version < .minimum else { return }
        throw RedisError(
            .unsuitable, "the server is Redis \(version), which has no streams: use \(RedisVersion.minimum) or later")
    }

    /// Settings that could lose writes, and how to fix them; empty if there are none.
    package var warnings: [RedisWarning] {
        var warnings: [RedisWarning] = []
        switch keepsAppendOnlyFile {
        case nil: warnings.append(.persistenceUnknown)
        case false?: warnings.append(.noAppendOnlyFile)
        case true?:
            switch appendSync {
            case .always: break
            case .everysec: warnings.append(.syncsEverySecond)
            case .no: warnings.append(.syncsNever)
            case nil: warnings.append(.syncUnknown)
            }
        }
        // A `volatile-…` policy only evicts keys that expire anyway, and only with a memory limit.
        if let evictionPolicy, evictionPolicy != "noeviction" {
            if let maximumMemory, maximumMemory > 0 {
                warnings.append(.evicts(policy: evictionPolicy))
            } else if evictionPolicy.hasPrefix("allkeys") {
                warnings.append(.wouldEvict(policy: evictionPolicy))
            }
        }
        return warnings
    }
}

/// A setting that could lose writes.
package enum RedisWarning: Hashable, Sendable, CustomStringConvertible {
    case persistenceUnknown, noAppendOnlyFile, syncsEverySecond, syncsNever, syncUnknown
    case evicts(policy: String)
    /// Applies once there is a memory limit.
    case wouldEvict(policy: String)

    package var description: String {
        switch self {
        case .persistenceUnknown: "the Redis doesn't say whether it persists data: let this user run INFO"
        case .noAppendOnlyFile: "the Redis loses data in a restart: set appendonly yes"
        case .syncsEverySecond:
            "up to a second of acknowledged changes is lost when the server's machine dies: set appendfsync always"
        case .syncsNever:
            "up to half a minute of acknowledged changes is lost when the server's machine dies: set appendfsync always"
        case .syncUnknown:
            "the Redis doesn't say when it writes to disk: let this user run CONFIG GET, or set appendfsync always"
        case .evicts(let policy): "the server may evict the board (\(policy)): set maxmemory-policy noeviction"
        case .wouldEvict(let policy):
            "the server would evict the board once it has a maxmemory (\(policy)): set maxmemory-policy noeviction"
        }
    }
}
