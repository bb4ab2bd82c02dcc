// A label that counts: from the number in its text to another, the words around it untouched.

public import LabelMotion
public import Tween

/// Anything with a text will do; here it is a line of a terminal.
@MainActor
public final class Line: TextLabel {
    public var text: String

    public init(_ text: String) { self.text = text }
}

/// Animates `Temperature: 13F` to 250 in two seconds, quickly at first.
@MainActor
public func warmUp(_ line: Line, on clock: any FrameClock = SystemClock(), done: @escaping @MainActor (Bool) -> Void) {
    Ticker.animate(line, to: 250, duration: 2, easing: .easeOut, on: clock, completion: done)
}
