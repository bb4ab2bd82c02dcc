// Paths with escapes in them.

import TestSupport
import Testing

@Suite struct EncodedPathTests {
    @Test(arguments: [
        "/v1%2Ftickers", "/v1/tickers%2fa", "/v1/tickers/a%2Fevents", "/v1/tickers/a%2Fb", "/v1%2fclients",
        "/js%2Fx.js",
        "/v1/streams/AAAAAAAAAAAAAAAAAAAAAA%2F", "/v1/notifications/a%2Fb",
    ])
    func `an encoded slash in a path does not separate segments`(path: String) throws {
        let server = try ServerProcess(servesPages: true)
        _ = try server.client.post("/v1/tickers/a", #"{"to":0,"duration":0}"#)
        for method in ["GET", "POST", "PUT", "DELETE"] {
            let answer = try server.client.send(method, path, body: method == "GET" ? nil : "{}")
            #expect(answer.status == 404, "\(method) \(answer.status)")
        }
        #expect(try server.client.get("/v1/%74ickers/%61").status == 200)
    }
}
