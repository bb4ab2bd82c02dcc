// What can be said about a ticker's motion besides duration and easing. More kinds may come; no caller breaks then.

public import Labels
public import Tween

extension Ticker {
    /// One wish for a motion. In a list their order is free; of two of a kind the first counts.
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
            case progress(ProgressLabel, maximum: ExactDecimal, start: Double)
            case format(NumberFormat, NumberPlan)
            case framesPerSecond(Double)
        }

        let kind: Kind

        /// So many digits after the point in every frame, held in 0...20; without it as many as the target has.
        public static func decimals(_ count: Int) -> Option { Option(kind: .decimals(count)) }

        /// Waits so many seconds before the number moves; a number in motion stops and waits.
        public static func delay(_ seconds: Double) -> Option { Option(kind: .delay(seconds)) }

        /// Stays at its end for so many seconds before the motion is over and the completion is called.
        public static func endDelay(_ seconds: Double) -> Option { Option(kind: .endDelay(seconds)) }

        /// Goes the way `count` more times, infinity for ever, until somebody ends it. With `autoreverse` each time is there
        /// and back, and the label ends with the number it had, unless `count` ends in .5.
        ///
        /// - Parameters:
        ///   - count: at least 0; what isn't a number counts as 0.
        ///   - autoreverse: whether it goes back before it goes again.
        ///   - repeatDelay: seconds before each further way, those back included.
        public static func repeating(
            _ count: Double, autoreverse: Bool = false, repeatDelay: Double = 0
        ) -> Option {
            Option(kind: .repeating(count, autoreverse: autoreverse, delay: repeatDelay))
        }

        /// Goes there and back, so that the label ends with the number it had; beside ``repeating(_:autoreverse:repeatDelay:)``
        /// each time.
        public static let autoreverse = Option(kind: .autoreverse)

        /// Moves by a spring in place of easing and duration; it is over when it is at rest, not only its text.
        public static func spring(_ spring: Spring) -> Option { Option(kind: .spring(spring)) }

        /// Which of the text's numbers moves; 0 is the first. A text without it is left as it is.
        public static func number(at index: Int) -> Option { Option(kind: .number(index)) }

        /// Writes the number with these words and this format, whatever the text was: money, other digits, plurals.
        ///
        /// - Parameters:
        ///   - label: the words and the format, not escaped.
        ///   - start: where the number starts, unless it is in motion already.
        public static func label(_ label: TickerLabel, startingAt start: Double = 0) -> Option {
            Option(kind: .label(label, start: start))
        }

        /// Finds the number by the separators of a format, and writes it by that: `1.234,5` is one number in German.
        ///
        /// - Parameters:
        ///   - format: a locale, a style.
        ///   - plan: the format compiled, as `NumberPlanCompiler` of the library Locales does.
        public static func format(_ format: NumberFormat, plan: NumberPlan) -> Option {
            Option(kind: .format(format, plan))
        }

        /// At most so many frames a second, held in 1...1000; 60 without it.
        public static func framesPerSecond(_ count: Double) -> Option { Option(kind: .framesPerSecond(count)) }
    }
}
