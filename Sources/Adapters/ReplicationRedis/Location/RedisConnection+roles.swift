// Asks a node for its role: master or replica, its cluster slots, Sentinel or not.

extension RedisConnection {
    /// Checks that this node is the master for a key.
    /// - Throws: `readOnly` on a replica, `moved` on another node of the cluster, `loading`, or any other error of the node.
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
            // This user may not call ROLE. A write that changes nothing shows the role too, since only a master accepts it.
            _ = try call("DEL", key + ":none")
        }
    }

    /// Asks a Sentinel for the address of its master.
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

extension RedisLink {
    /// Returns the replication ID of the node's data. It changes when the node is restarted or promoted, and may have lost
    /// acknowledged writes.
    /// - Returns: Empty if the server doesn't report it, or this user may not ask.
    package func history() throws(RedisError) -> String {
        do throws(RedisError) {
            let info = try call("INFO", "replication").text ?? ""
            let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("master_replid:") }
            return line.map { String($0.dropFirst("master_replid:".count)) } ?? ""
        } catch let error where error.code == .refused {
            return ""
        }
    }
}
