// The table of a stream's options: each is read from addresses and from bodies, and stands in the contract.

import Testing

@testable import Wire

@Suite struct StreamOptionTests {
    /// A value that no stream has by itself, in an address and in a body.
    private static func sample(of option: StreamOption) -> (parameter: String, field: String) {
        switch option {
        case .form: ("text", #""text""#)
        case .mode: ("motion", #""motion""#)
        case .wheels: ("up", #""up""#)
        case .stamp, .once: ("", "true")
        case .display: ("parts", #""parts""#)
        case .framesPerSecond: ("2.5", "2.5")
        case .heartbeat: ("5", "5")
        case .locale: ("de-CH", #""de-CH""#)
        case .width, .height: ("40", "40")
        case .color: ("false", "false")
        case .lastEventID, .lastEventIDOfPolyfills: ("e1-7", #""e1-7""#)
        }
    }

    @Test(arguments: StreamOption.allCases)
    func `a stream option means the same in an address and in a body`(option: StreamOption) throws {
        let sample = Self.sample(of: option)
        var options = StreamOptions(tickRate: 60)
        let usual = "\(options)"
        #expect(try options.read(parameter: option.rawValue, sample.parameter))
        #expect("\(options)" != usual)
        let body = Array(#"{"\#(option.rawValue)":\#(sample.field)}"#.utf8)
        switch option.scope {
        case .part:
            let part = try #require(try StreamBodyReader(body, tickRate: 60).parts.first)
            #expect("\(part.variant)" == "\(options.variant)")
        case .stream: #expect("\(try StreamBodyReader(body, tickRate: 60).options)" == "\(options)")
        case .address: #expect(throws: Problem.self) { try StreamBodyReader(body, tickRate: 60) }
        }
    }

    @Test(arguments: StreamOption.allCases)
    func `each stream option stands in openapi.yaml`(option: StreamOption) throws {
        let schemas = try FieldTests.schemas()
        let name: String? =
            switch option.scope {
            case .part: "Selection"
            case .stream: option == .lastEventID ? "StreamRequest" : "StreamTerms"
            case .address: nil
            }
        guard let name else { return }
        #expect(try #require(schemas[name]).contains(" \(option.rawValue):"))
    }
}
