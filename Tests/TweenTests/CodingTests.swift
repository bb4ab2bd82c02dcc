// What is kept in files comes back as it was, and nonsense is refused.

import Foundation
import Testing
import Tween

@Suite struct CodingTests {
    private func copy<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test(arguments: [
        Easing.linear, .ease, .easeOut, .cssEaseInOut,
    ])
    func `an easing decodes to the one that was encoded`(easing: Easing) throws {
        #expect(try copy(easing) == easing)
    }

    @Test func `springs and timings decode as they were encoded, endless and immediate ones too`() throws {
        let springs = try [
            Spring(duration: 0.5, bounce: 0.3), Spring(dampingRatio: 0, response: 2),
            Spring(dampingRatio: 1, response: 0),
        ]
        for spring in springs { #expect(try copy(spring) == spring) }
        let timings = [
            Timing(
                duration: 0.1, delay: -0.3, endDelay: 2, iterations: 2.5, iterationStart: 0.2, direction: .alternate),
            Timing(duration: 3, repeats: .infinity, autoreverse: true, easing: .easeIn),
            Timing(duration: .infinity, fill: .none),
        ]
        for timing in timings { #expect(try copy(timing) == timing) }
    }

    @Test(arguments: [#""cubic-bezier(2, 0, 0, 1)""#, #""""#, "7"])
    func `decoding a malformed easing fails`(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Easing.self, from: Data(text.utf8)) }
    }

    @Test(arguments: [#"{"angularFrequency":-1,"dampingRatio":1}"#, #"{"angularFrequency":1,"dampingRatio":-1}"#, "{}"])
    func `decoding a spring with bad parameters fails`(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Spring.self, from: Data(text.utf8)) }
    }
}
