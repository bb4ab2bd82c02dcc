// Lists of entity tags, taken apart.

import Testing

@testable import HTTPTransport

@Suite struct EntityTagTests {
    @Test(arguments: [
        (#""7""#, ["7"]), (#"W/"7""#, ["W7"]), (#""7","8""#, ["7", "8"]), (#" "7" , W/"8-gzip" "#, ["7", "W8-gzip"]),
        (#","7",,"#, ["7"]), (#""""#, [""]), (#""a,b", "c""#, ["a,b", "c"]), (#""W/""#, ["W/"]), ("\"é\"", ["é"]),
    ])
    func `tags are read one by one`(text: String, expected: [String]) {
        #expect(
            EntityTags(text)
                == .list(
                    expected.map { tag in
                        let isWeak = tag.hasPrefix("W") && !tag.hasPrefix("W/")
                        return EntityTag(text: isWeak ? String(tag.dropFirst()) : tag, isWeak: isWeak)
                    }))
    }

    @Test(arguments: ["*", " *\t"]) func `a star is any`(text: String) { #expect(EntityTags(text) == .any) }

    @Test(arguments: [
        "", " ", ",", "7", "W/7", #""7"#, #"7""#, #""7" "8""#, #"*, "7""#, #""7", *"#, "**", #"w/"7""#, #""a b""#,
    ])
    func `what is no list of tags is none`(text: String) { #expect(EntityTags(text) == nil) }

    @Test func `a weak tag is not the strong one`() throws {
        let tags = try #require(EntityTags(#"W/"7", "8""#))
        #expect(tags.contains("7", isStrong: false) && !tags.contains("7", isStrong: true))
        #expect(tags.contains("8", isStrong: true) && !tags.contains("9", isStrong: false))
    }
}
