// Signatures, held against the published example of Standard Webhooks and HMACs that Python made.

import Testing

@testable import Webhooks

@Suite struct SignatureTests {
    private static let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private static let body = Array(#"{"test": 2432232314}"#.utf8)
    private static let first = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let second = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD"

    @Test func `the example of Standard Webhooks gets its published signature`() throws {
        let secrets = try #require(WebhookSecrets(Self.first))
        #expect(
            secrets.signature(id: Self.id, timestamp: 1_614_265_330, body: Self.body)
                == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `while a secret is replaced both sign`() throws {
        let secrets = try #require(WebhookSecrets("\(Self.first), \(Self.second)"))
        #expect(
            secrets.signature(id: Self.id, timestamp: 1_614_265_330, body: Self.body)
                == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,78nXHjpFP0tVJQW5D0SBwmVyyW87BV/rL6MgfM/Bw44=")
    }

    @Test(arguments: ["", " , ", "whsec_", "whsec_c2hvcnQ=", "whsec_!!!!", "secret"])
    func `an empty, malformed or short secret is refused`(text: String) {
        #expect(WebhookSecrets(text) == nil)
    }
}
