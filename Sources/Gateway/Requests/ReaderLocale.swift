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

    /// A tag as BCP 47 recommends to write it, so that no locale counts twice: `de-DE` for `de_de`.
    static func canonical(_ tag: String) -> String {
        let subtags = tag.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        // Behind a singleton letters stand for other things than scripts and regions.
        let end = subtags.dropFirst().firstIndex { $0.utf8.count == 1 } ?? subtags.count
        let written = subtags.enumerated().map { index, subtag in
            guard index > 0, index < end else { return String(subtag) }
            return switch subtag.utf8.count {
            case 2: subtag.uppercased()
            case 4: subtag.prefix(1).uppercased() + subtag.dropFirst()
            default: String(subtag)
            }
        }
        return written.joined(separator: "-")
    }

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
        case .resource(_, _, let locale, _), .tracks(_, _, _, let locale, _, _), .schedules(_, _, let locale, _, _):
            locale
        case .stream(let request): request.locale
        case .changeStream(let change): change.wish.locale
        case .history, .preview, .readiness, .metrics, .limits, .clients, .failedWebhooks: nil
        }
    }
}
