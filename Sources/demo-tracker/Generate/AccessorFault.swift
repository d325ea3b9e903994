/// Why a property cannot be generated.
struct AccessorFault: Error, Equatable {
    /// The keys at which the cause stands.
    let path: [String]

    /// What is wrong, without the place.
    let reason: String
}
