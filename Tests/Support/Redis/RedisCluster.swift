// A small cluster of real nodes: all slots are assigned, and each node is a master.

/// Nodes that share the slots evenly, in order.
package final class RedisCluster {
    package let nodes: [RedisServer]
    private static let slots = 16_384

    /// Starts the nodes and waits until each serves.
    package init(count: Int = 3) throws {
        let ports = (0..<count).map { _ in FreePort.take() }
        nodes = try ports.map { bus in
            try RedisServer([
                "cluster-enabled yes", "cluster-port \(bus)", "cluster-node-timeout 4000",
                "cluster-announce-ip 127.0.0.1",
            ])
        }
        for (index, node) in nodes.enumerated() {
            let range = (Self.slots * index / count, Self.slots * (index + 1) / count - 1)
            _ = try node.ask("CLUSTER", "ADDSLOTSRANGE", "\(range.0)", "\(range.1)")
            // Otherwise all start with the same epoch, and the first node to notice outbids the others with all slots that
            // it believes to own, including one that was just moved.
            _ = try node.ask("CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)")
            if index > 0 {
                _ = try nodes[0].ask("CLUSTER", "MEET", "127.0.0.1", "\(node.port)", "\(ports[index])")
            }
        }
        try eventually("a cluster of \(count)") { try nodes.allSatisfy { try serves($0, among: count) } }
    }

    /// Returns the node that owns a key's slot.
    package func owner(of key: String) throws -> RedisServer {
        let answers = try nodes.map { try $0.ask("EXISTS", key) }
        guard let index = answers.firstIndex(where: { !$0.hasPrefix("-") }) else {
            throw RedisServer.Failure(description: "no node has \(key): \(answers)")
        }
        return nodes[index]
    }

    /// Starts to migrate a key's slot from its owner to another node.
    package func beginMove(slotOf key: String, to node: RedisServer) throws {
        let owner = try owner(of: key)
        let slot = try node.ask("CLUSTER", "KEYSLOT", key)
        _ = try node.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", try owner.ask("CLUSTER", "MYID"))
        _ = try owner.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", try node.ask("CLUSTER", "MYID"))
    }

    /// Assigns a key's slot, which must be empty, to another node.
    package func move(slotOf key: String, to node: RedisServer) throws {
        let slot = try node.ask("CLUSTER", "KEYSLOT", key)
        let name = try node.ask("CLUSTER", "MYID")
        // The receiver first, because otherwise the slot might have no owner.
        for other in [node] + nodes.filter({ $0 !== node }) {
            _ = try other.ask("CLUSTER", "SETSLOT", slot, "NODE", name)
        }
    }

    private func serves(_ node: RedisServer, among count: Int) throws -> Bool {
        let lines = try node.ask("CLUSTER", "INFO").split(whereSeparator: \.isNewline)
        return lines.contains("cluster_state:ok") && lines.contains("cluster_known_nodes:\(count)")
            && lines.contains("cluster_size:\(count)")
    }
}
