extension Int64 {
    /// The whole part of a value, or what is nearest to it; 0 for what is no number.
    ///
    /// A file that somebody made up may hold any figure, and computing with it must not end the process.
    package init(clamping value: Double) {
        self = value.isNaN ? 0 : Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
}
