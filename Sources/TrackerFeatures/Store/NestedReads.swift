/// Reads of features by closures of the service that a read calls: to decrypt, to decode, and as the condition of an experiment.
///
/// A document decides which flags depend on such a closure, and so it can make the closure depend on itself.
enum NestedReads {
    /// The most closures within each other.
    static let maximum = 8

    @TaskLocal private static var depth = 0

    /// Whether no closure of the service may be called any more.
    static var areTooDeep: Bool { depth >= maximum }

    /// Calls a closure of the service.
    static func call<Value, Failure: Error>(_ closure: () throws(Failure) -> Value) throws(Failure) -> Value {
        try $depth.withValue(depth + 1) { Result(catching: closure) }.get()
    }
}
