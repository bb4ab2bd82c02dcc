// Which label of a track its frames are made of.

package import Board
package import Labels

extension FrameLabel {
    /// That of a track; nil for one that it can't hold.
    package init?(_ track: Track) {
        switch track.face {
        case .ticker(let face):
            self.init(face.plain)
        case .progress(let face):
            var maximum: ExactDecimal?
            if case .value(let value) = face.maximum { maximum = value }
            guard !face.followsTime, track.run?.maximum == nil else { return nil }
            self.init(face.plain, maximum: maximum, target: track.destination)
        }
    }
}
