// When each slot, of the board or of another table, is due next.

package import RecurrenceRules
package import Tween

/// Slots by instant.
package typealias Timetable = DueHeap<Instant>
