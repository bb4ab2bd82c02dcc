// The contract, which is part of the program.

private import CContract

enum Contract {
    /// The documents by the path at which the server answers with them.
    static var files: [String: [UInt8]] {
        unsafe ["/openapi.yaml": bytes(of: tweencast_openapi), "/asyncapi.yaml": bytes(of: tweencast_asyncapi)]
    }

    private static func bytes(of document: tweencast_document) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: document.bytes, count: document.count))
    }
}
