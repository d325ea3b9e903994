/// Reads of features by closures of the service that are called during another read: for decryption, for decoding, and
/// as the condition of an experiment.
///
/// A document decides which flags depend on such a closure, so it can make the closure depend on itself.
enum NestedReads {
    /// The maximum depth of nested closures.
    static let maximum = 8

    @TaskLocal private static var depth = 0

    /// Whether the maximum depth is reached, so that no closure may be called.
    static var areTooDeep: Bool { depth >= maximum }

    /// Calls a closure of the service.
    static func call<Value, Failure: Error>(_ closure: () throws(Failure) -> Value) throws(Failure) -> Value {
        try $depth.withValue(depth + 1) { Result(catching: closure) }.get()
    }
}
