// Values of any type: a colour as a vector, a type of one's own, and their frames as a sequence.

public import Tween

/// A colour on a map.
public struct Pin: Interpolatable {
    /// Where it is, in points.
    public var place: SIMD2<Double>
    /// Red, green, blue and alpha, 0 to 1.
    public var color: SIMD4<Float>

    /// A pin at a place.
    public init(place: SIMD2<Double>, color: SIMD4<Float>) {
        (self.place, self.color) = (place, color)
    }

    public static func interpolated(from start: Pin, to end: Pin, at share: Double) -> Pin {
        Pin(
            place: .interpolated(from: start.place, to: end.place, at: share),
            color: .interpolated(from: start.color, to: end.color, at: share))
    }
}

/// Moves a pin in half a second and shows every frame; ends early when the task it runs in is cancelled.
public func move(
    _ pin: Pin, to end: Pin, on clock: any FrameClock = SystemClock(), show: (Pin) -> Void
) async {
    for await frame in Animator(duration: 0.5).from(pin).to(end).easing(.cssEaseInOut).frames(on: clock) {
        show(frame)
    }
}
