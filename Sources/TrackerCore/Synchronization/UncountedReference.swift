/// A reference to an object that another reference of its holder keeps alive.
///
/// Using it does not change the reference count, for which threads would contend.
struct UncountedReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    private let object: Unmanaged<Object>

    /// - Parameter object: The object, which must live as long as the reference is used.
    init(_ object: Object) {
        self.object = .passUnretained(object)
    }

    /// Runs `body` with the object.
    /// - Parameter body: Must not keep the object.
    /// - Returns: What `body` returns.
    @inline(__always)
    func use<Result>(_ body: (Object) -> Result) -> Result {
        object._withUnsafeGuaranteedRef(body)
    }
}
