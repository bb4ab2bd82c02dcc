// How a track takes label, format, maximum and looks from an update.

import Labels

extension Track {
    /// Takes what an update says of the track's face; what it leaves out stays (or falls back, replacing).
    mutating func dress(in update: TrackUpdate, replacing: Bool) throws(CommandError) {
        switch face {
        case .ticker(let old):
            let text = Self.text(of: update, over: old.text)
            let format = update.format ?? (replacing ? nil : old.format)
            let decimals = update.decimals ?? defaults.decimals
            if text != old.text || format != old.format || decimals != old.decimals {
                face = .ticker(try TickerFace(text: text, format: format, decimals: decimals))
            }
        case .progress(let old):
            let label = update.label ?? old.label
            let maximum = update.maximum ?? old.maximum
            let format = update.format ?? (replacing ? nil : old.format)
            let decimals = update.decimals ?? defaults.decimals
            let appearance = update.appearance ?? old.appearance
            if label != old.label || maximum != old.maximum || format != old.format || decimals != old.decimals
                || appearance != old.appearance
            {
                face = .progress(
                    try ProgressFace(
                        label: label, maximum: maximum, format: format, decimals: decimals, appearance: appearance))
            }
        }
    }

    /// A label takes the place of prefix and suffix and the other way round; each of the two leaves the other as it is.
    private static func text(of update: TrackUpdate, over old: TickerFace.Text) -> TickerFace.Text {
        if update.prefix != nil || update.suffix != nil {
            guard case .parts(let prefix, let suffix) = old else {
                return .parts(prefix: update.prefix ?? "", suffix: update.suffix ?? "")
            }
            return .parts(prefix: update.prefix ?? prefix, suffix: update.suffix ?? suffix)
        }
        if let label = update.label { return .label(label, index: update.index ?? 0) }
        guard let index = update.index, case .label(let label, _) = old else { return old }
        return .label(label, index: index)
    }
}
