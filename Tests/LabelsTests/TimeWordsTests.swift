// Times in the words of forty languages: as Intl.DurationFormat of CLDR 48 writes them, and never a byte that JSON escapes.

import Foundation
import Labels
import Locales
import Testing

struct TimeWordsTests {
    private static let spans = [7_500, 93_600, 121, 21 * 86_400 + 11 * 3_600].map { TimeSpan(seconds: $0) }

    private static let long: [(String, [String])] = [
        ("en", ["2 hours, 5 minutes", "1 day, 2 hours", "2 minutes, 1 second", "21 days, 11 hours"]),
        ("en-GB", ["2 hours, 5 minutes", "1 day, 2 hours", "2 minutes, 1 second", "21 days, 11 hours"]),
        ("de", ["2 Stunden, 5 Minuten", "1 Tag, 2 Stunden", "2 Minuten, 1 Sekunde", "21 Tage, 11 Stunden"]),
        ("de-CH", ["2 Stunden, 5 Minuten", "1 Tag, 2 Stunden", "2 Minuten, 1 Sekunde", "21 Tage, 11 Stunden"]),
        ("fr", ["2 heures et 5 minutes", "1 jour et 2 heures", "2 minutes et 1 seconde", "21 jours et 11 heures"]),
        ("es", ["2 horas y 5 minutos", "1 día y 2 horas", "2 minutos y 1 segundo", "21 días y 11 horas"]),
        ("it", ["2 ore e 5 minuti", "1 giorno e 2 ore", "2 minuti e 1 secondo", "21 giorni e 11 ore"]),
        ("pt", ["2 horas e 5 minutos", "1 dia e 2 horas", "2 minutos e 1 segundo", "21 dias e 11 horas"]),
        ("nl", ["2 uur en 5 minuten", "1 dag en 2 uur", "2 minuten en 1 seconde", "21 dagen en 11 uur"]),
        ("sv", ["2 timmar, 5 minuter", "1 dygn, 2 timmar", "2 minuter, 1 sekund", "21 dygn, 11 timmar"]),
        ("da", ["2 timer og 5 minutter", "1 dag og 2 timer", "2 minutter og 1 sekund", "21 dage og 11 timer"]),
        (
            "fi",
            ["2 tuntia ja 5 minuuttia", "1 päivä ja 2 tuntia", "2 minuuttia ja 1 sekunti", "21 päivää ja 11 tuntia"]
        ),
        ("pl", ["2 godziny i 5 minut", "1 dzień i 2 godziny", "2 minuty i 1 sekunda", "21 dni i 11 godzin"]),
        ("cs", ["2 hodiny a 5 minut", "1 den a 2 hodiny", "2 minuty a 1 sekunda", "21 dnů a 11 hodin"]),
        ("ru", ["2 часа 5 минут", "1 день 2 часа", "2 минуты 1 секунда", "21 день 11 часов"]),
        ("uk", ["2 години і 5 хвилин", "1 день і 2 години", "2 хвилини і 1 секунда", "21 день і 11 годин"]),
        ("hu", ["2 óra és 5 perc", "1 nap és 2 óra", "2 perc és 1 másodperc", "21 nap és 11 óra"]),
        ("ro", ["2 ore și 5 minute", "1 zi și 2 ore", "2 minute și 1 secundă", "21 de zile și 11 ore"]),
        ("el", ["2 ώρες, 5 λεπτά", "1 ημέρα, 2 ώρες", "2 λεπτά, 1 δευτερόλεπτο", "21 ημέρες, 11 ώρες"]),
        ("tr", ["2 saat 5 dakika", "1 gün 2 saat", "2 dakika 1 saniye", "21 gün 11 saat"]),
        ("ar", ["ساعتان و5 دقائق", "يوم وساعتان", "دقيقتان وثانية", "21 يومًا و11 ساعة"]),
        ("ar-EG", ["ساعتان و٥ دقائق", "يوم وساعتان", "دقيقتان وثانية", "٢١ يومًا و١١ ساعة"]),
        ("he", ["שעתיים, 5 דקות", "1 יום, שעתיים", "שתי דקות, 1 שניה", "21 ימים, 11 שעות"]),
        ("fa", ["۲ ساعت و ۵ دقیقه", "۱ روز و ۲ ساعت", "۲ دقیقه و ۱ ثانیه", "۲۱ روز و ۱۱ ساعت"]),
        ("hi", ["2 घंटे और 5 मिनट", "1 दिन और 2 घंटे", "2 मिनट और 1 सेकंड", "21 दिन और 11 घंटे"]),
        ("bn", ["২ ঘণ্টা, ৫ মিনিট", "১ দিন, ২ ঘণ্টা", "২ মিনিট, ১ সেকেন্ড", "২১ দিন, ১১ ঘণ্টা"]),
        ("mr", ["२ तास, ५ मिनिटे", "१ दिवस, २ तास", "२ मिनिटे, १ सेकंद", "२१ दिवस, ११ तास"]),
        ("th", ["2 ชั่วโมง และ 5 นาที", "1 วัน และ 2 ชั่วโมง", "2 นาที และ 1 วินาที", "21 วัน และ 11 ชั่วโมง"]),
        ("vi", ["2 giờ, 5 phút", "1 ngày, 2 giờ", "2 phút, 1 giây", "21 ngày, 11 giờ"]),
        ("id", ["2 jam, 5 menit", "1 hari, 2 jam", "2 menit, 1 detik", "21 hari, 11 jam"]),
        ("ja", ["2 時間 5 分", "1 日 2 時間", "2 分 1 秒", "21 日 11 時間"]),
        ("ko", ["2시간 5분", "1일 2시간", "2분 1초", "21일 11시간"]),
        ("zh", ["2小时5分钟", "1天2小时", "2分钟1秒钟", "21天11小时"]),
        ("zh-Hant", ["2 小時 5 分鐘", "1 天 2 小時", "2 分鐘 1 秒", "21 天 11 小時"]),
        ("my", ["၂ နာရီနှင့် ၅ မိနစ်", "၁ ရက်နှင့် ၂ နာရီ", "၂ မိနစ်နှင့် ၁ စက္ကန့်", "၂၁ ရက်နှင့် ၁၁ နာရီ"]),
        ("sw", ["saa 2 na dakika 5", "siku 1 na saa 2", "dakika 2 na sekunde 1", "siku 21 na saa 11"]),
        ("si", ["පැය 2 සහ මිනිත්තු 5", "දින 1 සහ පැය 2", "මිනිත්තු 2 සහ තත්පර 1", "දින 21 සහ පැය 11"]),
        (
            "lt",
            ["2 valandos ir 5 minutės", "1 diena ir 2 valandos", "2 minutės ir 1 sekundė", "21 diena ir 11 valandų"]
        ),
        ("ga", ["2 u agus 5 nóim", "1 lá agus 2 u", "2 nóim agus 1 soic", "21 lá agus 11 u"]),
        ("sr-Latn", ["2 sata i 5 minuta", "1 dan i 2 sata", "2 minuta i 1 sekunda", "21 dan i 11 sati"]),
    ]

    @Test(arguments: long)
    func `time spans in words equal Intl's in forty languages`(locale: String, shown: [String]) throws {
        let words = try TimeWords.words(in: locale)
        #expect(Self.spans.map { $0.text(.words, in: words) } == shown)
    }

    private static let short: [(String, [String])] = [
        ("en", ["2 hr, 5 min", "1 day, 2 hr", "2 min, 1 sec", "21 days, 11 hr"]),
        ("en-GB", ["2 hrs, 5 mins", "1 day, 2 hrs", "2 mins, 1 sec", "21 days, 11 hrs"]),
        ("de", ["2 Std., 5 Min.", "1 Tg., 2 Std.", "2 Min., 1 Sek.", "21 Tg., 11 Std."]),
        ("fr", ["2 h et 5 min", "1 j et 2 h", "2 min et 1 s", "21 j et 11 h"]),
        ("fi", ["2 t, 5 min", "1 pv, 2 t", "2 min, 1 s", "21 pv, 11 t"]),
        ("ru", ["2 ч 5 мин", "1 дн. 2 ч", "2 мин 1 с", "21 дн. 11 ч"]),
        ("ar", ["2 س و5 د", "يوم و2 س", "2 د و1 ث", "21 يومًا و11 س"]),
        ("he", ["שעתיים, 5 דק׳", "1 יום, שעתיים", "2 דק׳, 1 שנ׳", "21 ימ׳, 11 שע׳"]),
        ("fa", ["۲ ساعت،‏ ۵ دقیقه", "۱ روز،‏ ۲ ساعت", "۲ دقیقه،‏ ۱ ثانیه", "۲۱ روز،‏ ۱۱ ساعت"]),
        ("hi", ["2 घं॰, 5 मि॰", "1 दिन, 2 घं॰", "2 मि॰, 1 से॰", "21 दिन, 11 घं॰"]),
        ("th", ["2 ชม. 5 นาที", "1 วัน 2 ชม.", "2 นาที 1 วิ", "21 วัน 11 ชม."]),
        ("ja", ["2 時間 5 分", "1 日 2 時間", "2 分 1 秒", "21 日 11 時間"]),
        ("zh", ["2小时5分钟", "1天2小时", "2分钟1秒", "21天11小时"]),
    ]

    @Test(arguments: short)
    func `short time spans equal Intl's in each language`(locale: String, shown: [String]) throws {
        let words = try TimeWords.words(in: locale)
        #expect(Self.spans.map { $0.text(.units, in: words) } == shown)
    }

    @Test(arguments: [
        ("de", "noch 2 Stunden, 5 Minuten", "42 %, noch 3 Minuten", "42 %, pausiert"),
        ("fr-CA", "encore 2 heures et 5 minutes", "42 %, encore 3 minutes", "42 %, en pause"),
        ("pl-PL", "pozostały czas: 2 godziny i 5 minut", "42%, pozostały czas: 3 minuty", "42%, wstrzymano"),
        ("ar-EG", "الوقت المتبقي: ساعتان و٥ دقائق", "٤٢٪؜، الوقت المتبقي: ٣ دقائق", "٤٢٪؜، متوقف مؤقتًا"),
        ("ja", "残り 2 時間 5 分", "42%、残り 3 分", "42%、一時停止中"),
        ("zh-TW", "還剩2 小時 5 分鐘", "42%，還剩3 分鐘", "42%，已暫停"),
        ("sw", "in saa 2 na dakika 5", "42%, dakika 3 left", "42%, paused"),
    ])
    func `accessible sentences are in the label's language`(
        locale: String, pending: String, running: String, paused: String
    ) throws {
        var countdown = CountdownLabel.standard
        countdown.words = try .words(in: locale)
        #expect(ScheduleDescriptor(countdown, seconds: 7_500).accessible == pending)
        var label = try ProgressLabel.percentages(in: locale)
        label.timeWords = countdown.words
        let values = ProgressLabel.Values(value: 7, percent: 42, eta: 180)
        #expect(ProgressDescriptor(label, values).accessible == running)
        #expect(ProgressDescriptor(label, values, state: .paused).accessible == paused)
    }

    @Test(arguments: [
        ("{clock}", "٢٦:٠٠:٠٠"), ("{total} ث", "٩٣٦٠٠ ث"), ("{days}/{hours}", "١/٢"), ("{remaining}", "يوم و٢ س"),
        ("{words}", "يوم وساعتان"), ("T-minus 10", "T-minus ٩٣٦٠٠"),
    ])
    func `a countdown uses its locale's digits`(text: String, shown: String) throws {
        var label = try CountdownLabel(parsing: text)
        label.words = try .words(in: "ar-EG")
        #expect(label.text(of: TimeSpan(seconds: 93_600)) == shown)
    }

    @Test(arguments: [
        ("{eta}", "2:05"), ("{remaining}", "2 Min., 5 Sek."), ("noch {words}", "noch 2 Minuten, 5 Sekunden"),
    ])
    func `a progress label shows the time left in its language`(text: String, shown: String) throws {
        var label = try ProgressLabel(parsing: text)
        label.timeWords = try .words(in: "de")
        #expect(label.text(current: 5, of: 10, eta: 125) == shown)
        #expect(label.text(current: 5, of: 10) == text.replacing(/{.*}/, with: "–"))
        #expect(label.followsTime)
    }

    /// Words stand in JSON strings as they are.
    @Test func `no language's time words need JSON escaping`() throws {
        for language in Locale.LanguageCode.isoLanguageCodes.map(\.identifier) + [
            "sr-Latn", "zh-Hant", "pt-PT", "en-GB",
        ] {
            guard let words = try? TimeWords.words(in: language) else { continue }
            for span in Self.spans + [TimeSpan(seconds: 0), TimeSpan(seconds: 1)] {
                for style in TimeSpan.Style.allCases {
                    let text = span.text(style, in: words)
                    #expect(!text.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }, "\(language): \(text)")
                }
            }
        }
    }

    @Test func `time words of an unknown language are refused`() {
        #expect(throws: NumberFormatError.self) { try TimeWords.words(in: "xx") }
    }
}

extension ProgressLabel {
    /// A percentage alone, as a locale writes it.
    fileprivate static func percentages(in locale: String) throws -> ProgressLabel {
        var percent = NumberFormat(locale: locale)
        percent.style = .percent
        var signed = try NumberPlanCompiler.plan(for: percent, decimals: 0)
        signed.shift = 0
        var label = ProgressLabel.signedPercent
        label.percentStyle = PercentStyle(
            number: try NumberPlanCompiler.plan(for: NumberFormat(locale: locale), decimals: 0), signed: signed)
        return label
    }
}
