// Creates the frame label of a track.

package import Board
package import Labels

extension FrameLabel {
    /// Creates a track's label; nil if the label is of another form.
    package init?(_ track: Track) {
        switch track.rendering {
        case .ticker(let rendering):
            self.init(rendering.plain)
        case .progress(let rendering):
            var maximum: ExactDecimal?
            if case .value(let value) = rendering.maximum { maximum = value }
            guard !rendering.followsTime, track.run?.maximum == nil else { return nil }
            self.init(rendering.plain, maximum: maximum, target: track.destination)
        }
    }
}
