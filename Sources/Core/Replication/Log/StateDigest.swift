// A running hash of what each entry changed and published. Two replicas with the same hash at the same position have, almost
// certainly, the same board.

import Base
import Board
import Labels
import Machine
import Tween

/// A 64-bit hash that is the same in every process. It multiplies and folds a word at a time (as in wyhash, Wang Yi): it
/// detects mistakes, not forgeries.
package struct StateDigest: Hashable, Sendable {
    package private(set) var value: UInt64

    package init(_ value: UInt64 = 0x9E37_79B9_7F4A_7C15) { self.value = value }

    mutating func add(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        value = product.high ^ product.low ^ 0xE703_7ED1_A0B4_28DB
    }

    mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }
    mutating func add(_ number: Double) { add(number.bitPattern) }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        var word: UInt64 = 0
        var bits: UInt64 = 0
        for byte in text.utf8 {
            word |= UInt64(byte) << bits
            bits += 8
            guard bits == 64 else { continue }
            add(word)
            (word, bits) = (0, 0)
        }
        if bits > 0 { add(word) }
    }

    mutating func add(_ name: ResourceName) {
        add(UInt64(name.kind.rawValue))
        add(name.id)
    }

    mutating func add(_ value: ExactDecimal) {
        add(UInt64(truncatingIfNeeded: value.coefficient))
        add(UInt64(truncatingIfNeeded: value.scale))
    }

    /// Adds what an outcome changed and published.
    mutating func add(_ outcome: Outcome, of machine: borrowing Machine) {
        for event in outcome.events {
            add(event.number)
            add(UInt64(event.content.byteCount))
        }
        for name in outcome.changed {
            add(name)
            if let slot = machine.engine.slot(of: name) { add(name.kind, at: slot, of: machine) }
        }
        for (id, delivery) in outcome.deliveries {
            add(id)
            add(Int64(delivery?.attempts ?? -1))
        }
        for retry in outcome.retries {
            add(retry.key)
            add(UInt64(retry.answer.body.count))
        }
        add(machine.lastEvent)
    }

    /// Adds what distinguishes two states of a resource. Reads it in place, since a copy of a track counts twenty references.
    private mutating func add(_ kind: ResourceKind, at slot: Int, of machine: borrowing Machine) {
        if kind == .schedule {
            add(machine.engine.schedules[slot]?.revision ?? 0)
            add(machine.engine.schedules[slot]?.due.nanoseconds ?? 0)
            add(UInt64(machine.engine.schedules[slot]?.fired ?? 0))
            return
        }
        add(machine.engine.tracks[slot]?.revision ?? 0)
        add(machine.engine.tracks[slot]?.target ?? .zero)
        add(machine.engine.tracks[slot]?.touched.nanoseconds ?? 0)
        add(machine.engine.tracks[slot]?.run?.animation ?? 0)
        add(machine.engine.tracks[slot]?.run?.motion.from ?? 0)
        add(machine.engine.tracks[slot]?.run?.motion.playback.start.nanoseconds ?? 0)
        add(UInt64(machine.engine.tracks[slot]?.waiting.count ?? 0))
    }
}
