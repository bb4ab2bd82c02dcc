// The locale that a reader asks for, whatever locale the poster named: `?locale=de-DE`.

import Board
import EventStream
import HTTPTransport
import Labels
import Wire

/// Reads the parameter, and refuses what is no locale.
enum ReaderLocale {
    /// The name of the parameter, and of the field in the body of a stream.
    static let name = "locale"

    /// A query's locale; nil where none is asked for.
    static func asked(_ request: HTTPRequest) -> String? { request.query(name).map(canonical) }

    /// A tag as BCP 47 recommends to write it and under the names that CLDR prefers, so that no locale counts twice: `de-DE`
    /// for `de_de`, `he` for `iw`. What is no tag stays as it is, and is refused for it.
    static func canonical(_ tag: String) -> String { LanguageTag(tag)?.text ?? tag }

    /// In place of the line of a batch.
    static let line = -1

    /// What is compiled to know whether a locale is one.
    static func use(_ locale: String) -> FormatUse {
        FormatUse(line: line, pointer: "", format: NumberFormat(locale: locale))
    }

    /// What labels without a format need in a locale.
    static func formats(_ locale: String) -> [NumberFormat] {
        let grouped = NumberFormat(locale: locale)
        var bare = grouped
        bare.grouping = .never
        return [grouped] + bare.ofProgress + [grouped.ofPercentages.number, grouped.ofPercentages.signed]
    }

    /// Why a locale can't be taken.
    static let refusal = Problem.field(
        "?" + name, "must be a language tag that there are data for, such as de-DE or ar-u-nu-latn")
}

extension Query {
    /// The locale of who looks.
    var locale: String? {
        switch self {
        case .resource(_, _, let locale, _, _), .tracks(_, _, _, let locale, _, _), .schedules(_, _, let locale, _, _):
            locale
        case .stream(let request): request.locale
        case .changeStream(let change): change.options.locale
        case .history, .preview, .readiness, .metrics, .limits, .clients, .failedWebhooks: nil
        }
    }
}
