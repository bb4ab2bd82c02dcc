// Converts between dates of the Gregorian calendar and day numbers. No time zones, no times of day.

/// A date of the proleptic Gregorian calendar.
///
/// Conversions follow H. Hinnant, "chrono-Compatible Low-Level Date Algorithms" (days_from_civil, civil_from_days).
package struct CivilDate: Hashable, Sendable {
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// - Parameter dayNumber: Days since 1970-01-01.
    package init(dayNumber: Int) {
        let shifted = dayNumber + 719_468
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    package var dayNumber: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.dividedDown(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns this date a number of months later, or the month's last day if it is too short.
    package func adding(months: Int) -> CivilDate {
        let count = year * 12 + month - 1 + months
        let year = count.dividedDown(by: 12)
        let month = count - year * 12 + 1
        return CivilDate(year: year, month: month, day: min(day, Self.length(ofMonth: month, year: year)))
    }

    /// Returns the days of a month, 28 to 31.
    package static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the day of the week, 0 for Sunday to 6. 1970-01-01 was a Thursday.
    package static func weekday(ofDay dayNumber: Int) -> Int {
        (dayNumber + 4) - (dayNumber + 4).dividedDown(by: 7) * 7
    }
}

extension Int {
    /// Returns the quotient rounded toward negative infinity, for dates before 1970.
    package func dividedDown(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
