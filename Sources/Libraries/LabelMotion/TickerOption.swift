// Options of a ticker's motion besides duration and easing. New kinds may be added without breaking callers.

public import Labels
public import Tween

extension Ticker {
    /// An option of a motion. Their order in a list doesn't matter; of two of a kind, the first counts.
    public struct Option: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case decimals(Int)
            case delay(Double)
            case endDelay(Double)
            case repeating(Double, autoreverse: Bool, delay: Double)
            case autoreverse
            case spring(Spring)
            case number(Int)
            case label(TickerLabel, start: Double)
            case progress(ProgressLabel, maximum: ExactDecimal?, start: Double)
            case format(NumberFormat, NumberPlan)
            case framesPerSecond(Double)
        }

        let kind: Kind

        /// Sets the digits after the point in every frame, clamped to 0...20. By default those of the target; with
        /// ``label(_:startingAt:)`` or ``format(_:plan:)`` those of its plan.
        public static func decimals(_ count: Int) -> Option { Option(kind: .decimals(count)) }

        /// Sets the wait before the number moves. A moving number stops and waits.
        public static func delay(_ duration: Duration) -> Option { delay(duration / .seconds(1)) }

        /// Sets the seconds to wait before the number moves. A moving number stops and waits.
        public static func delay(_ seconds: Double) -> Option { Option(kind: .delay(seconds)) }

        /// Sets the wait at the end before the motion is over and the completion is called.
        public static func endDelay(_ duration: Duration) -> Option { endDelay(duration / .seconds(1)) }

        /// Sets the seconds to stay at the end before the motion is over and the completion is called.
        public static func endDelay(_ seconds: Double) -> Option { Option(kind: .endDelay(seconds)) }

        /// Repeats the way `count` more times; infinity repeats until the motion is ended. With `autoreverse`, each time
        /// goes there and back, and the label ends with its initial number unless `count` ends in .5.
        ///
        /// - Parameters:
        ///   - count: at least 0; NaN counts as 0.
        ///   - autoreverse: whether each time goes there and back.
        ///   - repeatDelay: the wait before each further way, including ways back.
        public static func repeating(
            _ count: Double, autoreverse: Bool = false, repeatDelay: Duration = .zero
        ) -> Option {
            repeating(count, autoreverse: autoreverse, repeatDelay: repeatDelay / .seconds(1))
        }

        /// Repeats the way `count` more times, with some seconds before each further way.
        public static func repeating(_ count: Double, autoreverse: Bool = false, repeatDelay: Double) -> Option {
            Option(kind: .repeating(count, autoreverse: autoreverse, delay: repeatDelay))
        }

        /// Goes there and back, so that the label ends with its initial number; with
        /// ``repeating(_:autoreverse:repeatDelay:)-(_,_,Duration)``, each time.
        public static let autoreverse = Option(kind: .autoreverse)

        /// Moves by a spring instead of easing and duration. It ends when the spring is at rest, not only its text.
        public static func spring(_ spring: Spring) -> Option { Option(kind: .spring(spring)) }

        /// Selects which of the text's numbers moves; 0 is the first. A text without it stays unchanged; one
        /// without any number is replaced by the number if the index is 0.
        public static func number(at index: Int) -> Option { Option(kind: .number(index)) }

        /// Writes the number with this text and format, whatever the label's text was: money, other digits, plurals.
        ///
        /// - Parameters:
        ///   - label: the text and the format, not escaped.
        ///   - start: the initial number, unless it is already moving.
        public static func label(_ label: TickerLabel, startingAt start: Double = 0) -> Option {
            Option(kind: .label(label, start: start))
        }

        /// Shows the number as the completed amount of a progress: its percentage, or a template's text.
        ///
        ///     Ticker.animate(label, to: 75, options: [.progress(of: 100)])
        ///
        /// - Parameters:
        ///   - maximum: the total amount; of 0, everything is done. A negative one ends the motion before it begins.
        ///   - start: the initial amount, unless it is already moving.
        ///   - template: the text, such as `ProgressLabel(parsing: "{value} of {maximum}")`; by default the percentage.
        public static func progress(
            of maximum: some TickerTarget, from start: Double = 0, template: ProgressLabel = .standard
        ) -> Option {
            Option(kind: .progress(template, maximum: maximum.exact, start: start))
        }

        /// Finds the number as a format writes it, and writes it in that format: `1.234,5` is one number in German.
        ///
        /// - Parameters:
        ///   - format: a locale and style.
        ///   - plan: the compiled format, from `NumberPlanCompiler` of the library Locales.
        public static func format(_ format: NumberFormat, plan: NumberPlan) -> Option {
            Option(kind: .format(format, plan))
        }

        /// Sets the most frames per second, clamped to 1...1000; the default is 60.
        public static func framesPerSecond(_ count: Double) -> Option { Option(kind: .framesPerSecond(count)) }
    }
}
