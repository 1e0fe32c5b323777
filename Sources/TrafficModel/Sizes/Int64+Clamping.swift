extension Int64 {
    /// The whole part of a value, or the nearest integer if it is out of range; 0 for NaN.
    ///
    /// A damaged or forged file may hold any number, and computing with it must not end the process.
    package init(clamping value: Double) {
        self = value.isNaN ? 0 : Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
}
