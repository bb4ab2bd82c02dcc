// What a node says of its part: master or replica, this slot's or another's, Sentinel or not.

extension RedisConnection {
    /// Looks whether this is the master of a key.
    /// - Throws: `readOnly` on a replica, `moved` on another node of the cluster, `loading`, or what else it answers.
    func checkTakesWrites(to key: String) throws(RedisError) {
        append("EXISTS", key)
        append("ROLE")
        let existence = try receive()
        let role = try receive()
        if role.elements?.first?.text == "sentinel" {
            throw RedisError(.unsuitable, "\(endpoint): is a Sentinel; write &sentinel=MASTER behind the board's name")
        }
        _ = try value(of: existence)
        do throws(RedisError) {
            let part = try value(of: role).elements?.first?.text
            guard part == "master" else { throw RedisError(.readOnly, "\(endpoint): is a replica") }
        } catch let error where error.code == .refused {
            // ROLE isn't everybody's to ask. What only a master takes tells as well: a write that changes nothing.
            _ = try call("DEL", key + ":none")
        }
    }

    /// The history that a node's data belongs to, as replication names it: another one once it was started anew or promoted,
    /// and may have lost what it had answered.
    /// - Returns: Empty where the server doesn't say, or this user may not ask.
    package func history() throws(RedisError) -> String {
        do throws(RedisError) {
            let info = try call("INFO", "replication").text ?? ""
            let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("master_replid:") }
            return line.map { String($0.dropFirst("master_replid:".count)) } ?? ""
        } catch let error where error.code == .refused {
            return ""
        }
    }

    /// Asks a Sentinel for the master that it watches.
    func master(_ name: String) throws(RedisError) -> RedisEndpoint {
        let answer: RedisReply
        do throws(RedisError) {
            answer = try call("SENTINEL", "get-master-addr-by-name", name)
        } catch let error where error.code == .failed {
            throw RedisError(.unsuitable, "\(error.cause); is this a Sentinel?")
        }
        if answer == .null { throw RedisError(.unsuitable, "\(endpoint): this Sentinel watches no master \(name)") }
        guard let parts = answer.elements, parts.count == 2, let host = parts[0].text,
            let port = parts[1].integer.flatMap(UInt16.init(exactly:)), port > 0
        else { throw RedisError(.protocolError, "\(endpoint): told no address of \(name)") }
        return .tcp(host: host, port: port)
    }
}
