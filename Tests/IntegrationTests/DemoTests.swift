// The demo where it isn't alone: on a board that others have begun, and on one that a store brought back.

import TestSupport
import Testing

@Suite struct DemoTests {
    private static let untouched = ["preset-linear", "preset-ease-out", "preset-ease-in"]

    /// Whether everything was asked for once. What a server is asked is carried out behind its own opening.
    private func isOpenedOnce(_ server: ServerProcess) throws -> Bool {
        #expect(try server.client.post("/v1/tickers/asked", #"{"by":1,"duration":0}"#).status == 202)
        return try Self.untouched.allSatisfy { name in
            try server.client.get("/v1/tickers/\(name)").json["revision"] as? String == "1"
        }
    }

    @Test func `the demo on three replicas is set up once`() throws {
        let redis = try RedisServer()
        let replicas = try (0..<3).map { _ in
            try ServerProcess(arguments: ["--demo", "--store", "redis://127.0.0.1:\(redis.port)?name=demo"])
        }
        for replica in replicas { #expect(try isOpenedOnce(replica)) }
    }

    @Test func `the demo is not set up again after a restart`() throws {
        let folder = TemporaryFolder()
        for _ in 0..<2 {
            let server = try ServerProcess(folder: folder.path, arguments: ["--demo"])
            #expect(try isOpenedOnce(server))
            #expect(server.terminate() == 0)
        }
    }
}
