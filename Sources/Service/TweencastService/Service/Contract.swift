// The API contract, which is compiled into the program.

private import CContract

enum Contract {
    /// The contract's documents, by the paths at which the server serves them.
    static var files: [String: [UInt8]] {
        unsafe ["/openapi.yaml": bytes(of: tweencast_openapi), "/asyncapi.yaml": bytes(of: tweencast_asyncapi)]
    }

    private static func bytes(of document: tweencast_document) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: document.bytes, count: document.count))
    }
}
