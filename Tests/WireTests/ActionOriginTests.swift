// Whose action something was: found in what was written, and left out.

import Base
import Board
import Testing
import Wire

@Suite struct ActionOriginTests {
    private static let room = ResourceName(.schedule, "room-s")

    private static func payload(_ data: String?, by origin: ResourceName?) -> [UInt8] {
        EventEncoder.payload(of: .notification(name: "n", data: data.map { Array($0.utf8) }, by: origin))
    }

    /// Data that look as if somebody were named.
    private static let datas: [String?] = [
        nil, "1", #"{"by":{"ticker":"x"}}"#, #"{"a":1,"by":{"ticker":"x"}}"#, #"{"ticker":"x"}"#,
        #"{"by":{"schedule":"x"}} "#,
        #"",\"by\":{\"ticker\":\"x\"}}""#, #"[{"a":{},"by":{"ticker":"x"}}]"#, #"{"a":{"b":1,"by":{"ticker":"x"}}}"#,
        "{\"a\":1\n,\"by\":\n{\"ticker\":\"x\"}\n}",
    ]

    @Test(arguments: datas)
    func `the origin of an event is found and removed, whatever its data look like`(data: String?)
        throws
    {
        let nobody = Self.payload(data, by: nil)
        #expect(ActionOrigin.find(in: nobody) == nil)
        for origin in [Self.room, ResourceName(.ticker, "a.b:c~-_"), ResourceName(.progress, "p")] {
            let payload = Self.payload(data, by: origin)
            let found = try #require(ActionOrigin.find(in: payload))
            #expect(found.origin == origin && found.length == ActionOrigin.length(of: origin))
            #expect(payload.count == nobody.count + found.length)
            for end in ["", "\n\n"] {
                let event = payload + Array(end.utf8)
                #expect(ActionOrigin.withheld(from: event) { _ in false } == nobody + Array(end.utf8))
                #expect(ActionOrigin.withheld(from: event) { $0 == origin } == nil)
            }
        }
    }
}
