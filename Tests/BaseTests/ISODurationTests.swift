// ISO 8601 durations taken apart.

import Base
import Testing

@Suite struct ISODurationTests {
    @Test(
        arguments: [
            ("PT1H", 3_600.0), ("PT1H30M", 5_400), ("P1D", 86_400), ("P1W", 604_800), ("P1DT0.5S", 86_400.5),
            ("PT0,5S", 0.5), ("P0.5D", 43_200), ("P1W2DT3H4M5.5S", 788_645.5), ("PT0S", 0),
        ] as [(String, Double)])
    func `durations without months and years amount to seconds`(text: String, seconds: Double) {
        #expect(ISODuration(parsing: text)?.seconds == seconds)
    }

    @Test(arguments: ["P1M", "P1Y", "P0M", "P1Y2DT3H"]) func `durations with months or years have no length in seconds`(
        text: String
    )
        throws
    {
        let duration = try #require(ISODuration(parsing: text))
        #expect(duration.seconds == nil)
    }

    @Test func `a duration's parts read as they are written`() throws {
        let duration = try #require(ISODuration(parsing: "P1Y2M3W4DT5H6M7.5S"))
        #expect(
            duration.amounts == [
                .years: 1, .months: 2, .weeks: 3, .days: 4, .hours: 5, .minutes: 6, .seconds: 7.5,
            ])
    }

    @Test(arguments: [
        "", "P", "PT", "P1DT", "1H", "PT1M1H", "P1H", "PTxS", "P1D1D", "P1M1Y", "PTT1H", "PT1HT1M", "P1", "P-1D", "p1d",
        "PT1.2.3S", "PTS", "P1٣D", " P1D", "P1D ", "PT.1H", "PT1.H", "PT,5S", "PT1,S", "PT.S", "PT0.5H5S",
        "P0.5DT1H", "P1.0W1D", "P0,5Y1M",
    ])
    func `a malformed duration is refused`(text: String) {
        #expect(ISODuration(parsing: text) == nil)
    }
}
