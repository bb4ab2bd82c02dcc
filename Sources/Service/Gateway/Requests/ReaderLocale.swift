// A reader's own locale, instead of the publisher's: `?locale=de-DE`.

import Board
import EventStream
import HTTPTransport
import Labels
import Wire

/// Parses the parameter and rejects invalid locales.
enum ReaderLocale {
    /// The name of the parameter, and of the field in the body of a stream.
    static let name = "locale"

    /// Returns a query's locale; nil if it names none.
    static func asked(_ request: HTTPRequest) -> String? { request.query(name).map(canonical) }

    /// Returns the canonical form of a tag, as BCP 47 and CLDR recommend, so that no locale counts twice: `de-DE` for
    /// `de_de`, `he` for `iw`. An invalid tag is returned as it is, and rejected later.
    static func canonical(_ tag: String) -> String { LanguageTag(tag)?.text ?? tag }

    /// Returns a format to compile, to find out whether a locale exists.
    /// - Parameter isInBody: Whether it is a field of the body, not a parameter.
    static func use(_ locale: String, isInBody: Bool = false) -> FormatUse {
        FormatUse(line: 0, pointer: "", format: NumberFormat(locale: locale), refusal: refusal(isInBody: isInBody))
    }

    /// Returns the formats that labels without one need in a locale.
    static func formats(_ locale: String) -> [NumberFormat] {
        let grouped = NumberFormat(locale: locale)
        var bare = grouped
        bare.grouping = .never
        return [grouped] + bare.ofProgress + [grouped.ofPercentages.number, grouped.ofPercentages.signed]
    }

    /// Returns the error for an unknown locale.
    private static func refusal(isInBody: Bool) -> Problem {
        .field(
            (isInBody ? "/" : "?") + name,
            "must be a language tag that there are data for, such as de-DE or ar-u-nu-latn")
    }
}

extension Query {
    /// The reader's locale.
    var locale: String? {
        switch self {
        case .resource(_, _, let locale, _, _, _), .tracks(_, _, _, let locale, _, _),
            .schedules(_, _, let locale, _, _), .frames(_, _, _, let locale, _),
            .picture(_, _, _, let locale, _, _, _):
            locale
        case .stream(let request): request.locale
        case .changeStream(let change): change.options.locale
        case .history, .preview, .readiness, .metrics, .limits, .clients, .failedWebhooks: nil
        }
    }
}
