// One picture for all who ask for the same in one tick, and another one afterwards.

import Base
import Board
import Gateway
import Labels
import Synchronization
import TestSupport
import Testing
import Tween
import Wire

@testable import TweencastService

@Suite struct SharedPicturesTests {
    private static let start = Instant(nanoseconds: 1_000_000_000)
    private var pictures = SharedPictures()

    /// - Parameter fields: More of its updates, as members of JSON.
    private static func track(
        _ id: String = "a", revisions: Int = 1, at now: Instant = start, fields: String = ""
    ) throws -> Track {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(.ticker, id)
        for to in 1...revisions {
            let update = try UpdateDecoder.update(
                Array(#"{"to":\#(to)\#(fields)}"#.utf8), kind: .ticker, role: .update)
            _ = try engine.apply(Command.update(name, update), at: now)
        }
        return try #require(engine.track(name))
    }

    private mutating func picture(
        of track: Track, _ form: PictureForm = .svg, width: Int? = nil, in locale: String? = nil, after seconds: Double
    ) -> SharedPicture {
        var options = PictureOptions(style: .badge)
        options.width = width
        return pictures.picture(
            of: track, form, options, in: locale, at: Self.start.advanced(bySeconds: seconds))
    }

    @Test mutating func `a picture is shared within a tick, and made anew in the next`() throws {
        let track = try Self.track()
        let first = picture(of: track, after: 0)
        #expect(picture(of: track, after: 0.016) === first)
        #expect(picture(of: track, after: 0.017) !== first)
        let second = picture(of: track, after: 0.017)
        // After a clock was set back.
        #expect(picture(of: track, after: 0) !== second)
    }

    @Test mutating func `pictures of other forms, sizes, locales, tickers or revisions are not shared`() throws {
        let track = try Self.track()
        let first = picture(of: track, after: 0)
        let others = [
            picture(of: track, .shields, after: 0), picture(of: track, width: 100, after: 0),
            picture(of: track, in: "de", after: 0), picture(of: try Self.track("b"), after: 0),
            picture(of: try Self.track(revisions: 2), after: 0),
        ]
        #expect(others.allSatisfy { $0 !== first })
    }

    @Test mutating func `a recreated ticker with the same revision gets a new picture`() throws {
        let first = picture(of: try Self.track(), after: 0)
        let again = try Self.track(at: Self.start.advanced(bySeconds: 0.001))
        #expect(picture(of: again, after: 0.001) !== first)
    }

    @Test mutating func `the first request for a shared picture is charged, by its bytes`() throws {
        let counted = Mutex(0)
        let cost = AnswerCost { count in counted.withLock { $0 += count } }
        let fields = #","label":"0 \#(String(repeating: "&", count: 100))""#
        let shared = self.picture(of: try Self.track(fields: fields), after: 0)
        let size = try shared.content(counting: cost).body.count
        for _ in 0..<9 { _ = try shared.content(counting: cost) }
        let sum = counted.withLock { $0 }
        #expect(size > 1_024 && sum == size / 1_024, "\(size) bytes, \(sum) requests")
        let other = self.picture(of: try Self.track("b", fields: fields), after: 0)
        let dear = AnswerCost { _ throws(Problem) in
            throw Problem(429, "Too Many Requests", "slow down", retryAfter: 1)
        }
        #expect(throws: Problem.self) { try other.content(counting: dear) }
    }

    @Test mutating func `only a limited number of different pictures is shared`() throws {
        let track = try Self.track()
        let first = picture(of: track, width: 16, after: 0)
        for width in 17..<80 { _ = picture(of: track, width: width, after: 0) }
        #expect(picture(of: track, width: 16, after: 0) === first)
        #expect(picture(of: track, width: 80, after: 0) !== picture(of: track, width: 80, after: 0))
    }
}
