// Lists of entity tags, taken apart.

import Testing

@testable import HTTPTransport

@Suite struct EntityTagTests {
    @Test(arguments: [
        (#""7""#, ["7"]), (#"W/"7""#, ["W7"]), (#""7","8""#, ["7", "8"]), (#" "7" , W/"8-gzip" "#, ["7", "W8-gzip"]),
        (#","7",,"#, ["7"]), (#""""#, [""]), (#""a,b", "c""#, ["a,b", "c"]), (#""W/""#, ["W/"]), ("\"é\"", ["é"]),
    ])
    func `a list of entity tags is parsed tag by tag`(text: String, expected: [String]) {
        #expect(
            EntityTags(text)
                == .list(
                    expected.map { tag in
                        let isWeak = tag.hasPrefix("W") && !tag.hasPrefix("W/")
                        return EntityTag(text: isWeak ? String(tag.dropFirst()) : tag, isWeak: isWeak)
                    }))
    }

    @Test(arguments: ["*", " *\t"])
    func `a header of one star matches any entity tag`(text: String) { #expect(EntityTags(text) == .any) }

    @Test(arguments: [
        "", " ", ",", "7", "W/7", #""7"#, #"7""#, #""7" "8""#, #"*, "7""#, #""7", *"#, "**", #"w/"7""#, #""a b""#,
    ])
    func `a malformed list of entity tags is rejected`(text: String) { #expect(EntityTags(text) == nil) }

    @Test func `a weak entity tag matches in a weak comparison only`() throws {
        let tags = try #require(EntityTags(#"W/"7", "8""#))
        #expect(tags.contains("7", isStrong: false) && !tags.contains("7", isStrong: true))
        #expect(tags.contains("8", isStrong: true) && !tags.contains("9", isStrong: false))
    }
}
