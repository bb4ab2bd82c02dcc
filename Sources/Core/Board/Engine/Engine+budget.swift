// The board's memory budget. Beyond it, requests and actions that add or enlarge a resource are rejected, and others accepted.

extension Engine {
    /// - Throws: `CommandError.boardOutOfMemory`.
    func admit(_ track: Track) throws(CommandError) { try admit(track, at: slots[track.name]) }

    /// The same with a known slot; nil for a new track.
    func admit(_ track: Track, at known: Int?) throws(CommandError) {
        try admit(growthFrom: known.map { trackTable.footprint(at: $0) } ?? 0, to: track.footprint)
    }

    /// - Throws: `CommandError.boardOutOfMemory`.
    func admit(_ schedule: Schedule) throws(CommandError) {
        let known = slots[schedule.name].map { scheduleTable.footprint(at: $0) } ?? 0
        try admit(growthFrom: known, to: schedule.footprint)
    }

    private func admit(growthFrom known: Int, to footprint: Int) throws(CommandError) {
        guard footprint > known, bytes + footprint - known > configuration.maximumBytes else { return }
        throw .boardOutOfMemory(limit: configuration.maximumBytes)
    }
}
