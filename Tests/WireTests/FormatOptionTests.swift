// The table of a format's options: whatever a format has is read, written, stored and stands in the contract.

import Base
import Board
import Foundation
import Labels
import Testing

@testable import Wire

@Suite struct FormatOptionTests {
    @Test func `every property of a number format is in the table of options`() {
        let parts = Mirror(reflecting: NumberFormat()).children.compactMap(\.label)
        #expect(Set(parts) == Set(FormatOption.allCases.map(\.rawValue)))
    }

    @Test func `openapi.yaml lists the same options of a number format as the table`() throws {
        let schema = try #require(try FieldTests.schemas()["Format"])
        let start = try #require(schema.firstRange(of: "\n      properties:\n")).upperBound
        let names = schema[start...].matches(of: /(?m)^        ([a-zA-Z]+):/).map { String($0.output.1) }
        #expect(Set(names) == Set(FormatOption.allCases.map(\.rawValue)))
    }

    @Test(arguments: FormatOption.allCases)
    func `each format option has a one-byte key in records`(option: FormatOption) {
        #expect(RecordKey.key(of: option.rawValue) != nil)
    }

    /// A value that no format has by itself.
    private static func sample(of option: FormatOption) -> String {
        switch option {
        case .locale: #""de-CH""#
        case .style: #""unit""#
        case .currency: #""CHF""#
        case .unit: #""kilometer""#
        case .grouping: #""min2""#
        case .sign: #""always""#
        case .currencyDisplay: #""code""#
        case .currencySign: #""accounting""#
        case .unitDisplay, .compactDisplay: #""long""#
        case .notation: #""scientific""#
        case .minimumIntegerDigits, .minimumDecimals, .maximumDecimals, .minimumSignificantDigits,
            .maximumSignificantDigits:
            "3"
        case .trailingZeros: #""strip-if-integer""#
        case .rounding: #""floor""#
        }
    }

    private static func format(_ members: String) throws -> NumberFormat {
        let text = #"{"to":1,"format":{\#(members)}}"#
        return try #require(try UpdateDecoder.update(Array(text.utf8), kind: .ticker, role: .update).format)
    }

    private static func text(_ format: NumberFormat, leavesOutUsual: Bool) -> String {
        var json = JSONWriter()
        json.object { FormatOption.append(format, leavesOutUsual: leavesOutUsual, to: &$0) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test(arguments: FormatOption.allCases)
    func `a format option reads back as it was written`(option: FormatOption) throws {
        let member = #""\#(option.rawValue)":\#(Self.sample(of: option))"#
        let format = try Self.format(member)
        #expect(format != NumberFormat())
        for leavesOutUsual in [true, false] {
            let written = Self.text(format, leavesOutUsual: leavesOutUsual)
            #expect(written.contains(member))
            #expect(try Self.format(String(written.dropFirst().dropLast())) == format)
        }
    }

    @Test func `a default number format is written with its locale alone`() {
        #expect(Self.text(NumberFormat(), leavesOutUsual: true) == #"{"locale":"en-US"}"#)
    }

    @Test(arguments: [("true", NumberFormat.GroupingUse.auto), ("false", .never), (#""always""#, .always)])
    func `grouping may be true, false or a word`(value: String, use: NumberFormat.GroupingUse) throws {
        #expect(try Self.format(#""grouping":\#(value)"#).grouping == use)
    }
}
