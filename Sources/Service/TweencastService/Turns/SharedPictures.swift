// Pictures that many clients request at the same time. A moving track looks different at each tick, and writing its picture takes
// milliseconds: the requests within a tick share one.

import Board
import Gateway
import Synchronization
import Tween
import Wire

/// The pictures of one tick, by what they show. The tick thread's; those that send encode them.
struct SharedPictures {
    private struct Key: Hashable {
        let name: ResourceName
        let form: PictureForm
        let options: PictureOptions
        let locale: String?
    }

    private var pictures: [Key: SharedPicture] = [:]
    private var began = Instant(nanoseconds: .min)

    /// Seconds for which a picture is shared: those of a tick at the usual rate.
    private static let lifetime = 1.0 / 60
    /// The most pictures that are shared; each further one is its client's alone.
    private static let most = 64

    /// Returns a picture of a track, the same for all who ask for it in one tick.
    mutating func picture(
        of track: Track, _ form: PictureForm, _ options: PictureOptions, in locale: String?, at now: Instant
    ) -> SharedPicture {
        if now < began || now.seconds(since: began) >= Self.lifetime {
            pictures.removeAll(keepingCapacity: true)
            began = now
        }
        let key = Key(name: track.name, form: form, options: options, locale: locale)
        // One that was removed and made again begins with the same revision.
        if let known = pictures[key], known.revision == track.revision, known.touched == track.touched { return known }
        let picture = SharedPicture(track, form, options, at: now)
        if pictures.count < Self.most { pictures[key] = picture }
        return picture
    }
}

/// A picture that the first who sends it encodes. The others wait meanwhile.
final class SharedPicture: Sendable {
    private let track: Track
    private let form: PictureForm
    private let options: PictureOptions
    private let instant: Instant
    private let encoded = Mutex<EncodedPicture?>(nil)

    init(_ track: Track, _ form: PictureForm, _ options: PictureOptions, at now: Instant) {
        (self.track, self.form, self.options, instant) = (track, form, options, now)
    }

    var revision: UInt64 { track.revision }
    var touched: Instant { track.touched }

    /// Returns the picture as it is sent.
    /// - Parameter cost: Counted for the first reader; free for the others.
    /// - Throws: 429 if that one has asked for too much.
    func content(counting cost: AnswerCost) throws(Problem) -> EncodedPicture {
        let (picture, isNew) = encoded.withLock { encoded in
            if let encoded { return (encoded, false) }
            let made = EncodedPicture(TrackPicture(track, options, at: instant), form)
            encoded = made
            return (made, true)
        }
        if isNew { try cost.add(pictureOf: picture.body.count) }
        return picture
    }
}
