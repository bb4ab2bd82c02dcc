// Days of the Gregorian calendar, against dates that are known and against a count of them one by one.

import Base
import Testing

@Suite struct CivilDateTests {
    @Test(
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (19_782, 2024, 2, 29), (47_482, 2100, 1, 1),
            (-25_509, 1900, 2, 28), (-719_468, 0, 3, 1), (-719_528, 0, 1, 1), (2_932_896, 9999, 12, 31),
        ] as [(Int, Int, Int, Int)])
    func `a day number converts to its date and back`(number: Int, year: Int, month: Int, day: Int) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(CivilDate(dayNumber: number) == date)
        #expect(date.dayNumber == number)
    }

    @Test func `four hundred years of dates and weekdays follow each other`() {
        var date = CivilDate(year: 1899, month: 12, day: 31)
        var weekday = 0
        for number in date.dayNumber...CivilDate(year: 2301, month: 1, day: 1).dayNumber {
            #expect(CivilDate(dayNumber: number) == date && date.dayNumber == number)
            #expect(CivilDate.weekday(ofDay: number) == weekday)
            weekday = (weekday + 1) % 7
            date.day += 1
            guard date.day > CivilDate.length(ofMonth: date.month, year: date.year) else { continue }
            date.day = 1
            date = date.adding(months: 1)
        }
    }

    @Test func `adding months to a day that the month lacks gives its last day`() {
        let date = CivilDate(year: 2024, month: 1, day: 31)
        #expect(date.adding(months: 1) == CivilDate(year: 2024, month: 2, day: 29))
        #expect(date.adding(months: 13) == CivilDate(year: 2025, month: 2, day: 28))
        #expect(date.adding(months: -2) == CivilDate(year: 2023, month: 11, day: 30))
    }

    @Test(arguments: [(7, 2, 3), (-7, 2, -4), (-8, 2, -4), (0, 5, 0), (-1, 86_400, -1)])
    func `a negative quotient is rounded down`(number: Int, divisor: Int, quotient: Int) {
        #expect(number.dividedDown(by: divisor) == quotient)
    }
}
