// Creates a spring from its angular frequency and damping ratio.

extension Spring {
    /// Creates a spring from an angular frequency and a damping ratio; equal to the spring they were read from.
    ///
    /// - Parameters:
    ///   - frequency: rad/s, over 0; infinite arrives at once.
    ///   - dampingRatio: 0 to 1,000,000.
    /// - Throws: `SpringError` naming the invalid parameter.
    public init(frequency: Double, dampingRatio: Double) throws(SpringError) {
        guard frequency > 0 else { throw SpringError(parameter: .frequency, rule: "must be over 0") }
        let checked = try Spring(dampingRatio: dampingRatio, response: 1)
        self.init(angularFrequency: frequency, dampingRatio: checked.dampingRatio)
    }
}
