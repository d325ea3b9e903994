import TrackerCore

/// Collects the promises that an implementation breaks.
struct Promises {
    private let implementation: String
    private let requirements: String
    private var broken: [String] = []

    init(of requirements: String, by implementation: Any) {
        self.requirements = requirements
        self.implementation = "\(type(of: implementation))"
    }

    /// Notes a promise if it does not hold.
    /// - Parameters:
    ///   - holds: Whether it holds.
    ///   - promise: The promise as a sentence.
    ///   - found: What happened instead.
    mutating func expect(_ holds: Bool, _ promise: String, found: @autoclosure () -> String? = nil) {
        guard !holds else { return }
        broken.append(promise + (found().map { "; found \($0)" } ?? ""))
    }

    /// Notes a promise if a value differs from the expected one.
    mutating func expect<Value: Equatable>(_ found: Value, is expected: Value, _ promise: String) {
        expect(found == expected, promise, found: String("\(found)".prefix(200)))
    }

    /// Runs checks, and notes an error that they throw.
    /// - Parameters:
    ///   - part: The name of the checks, for the note.
    ///   - body: The checks.
    mutating func check(_ part: String, _ body: (inout Promises) async throws -> Void) async {
        do {
            try await body(&self)
        } catch {
            broken.append("\(part) throws no error; found \(error)")
        }
    }

    /// Throws the broken promises if there are any.
    func finish() throws(ConformanceError) {
        guard broken.isEmpty else {
            throw ConformanceError(implementation: implementation, requirements: requirements, broken: broken)
        }
    }
}

/// Waits for an operation in real time.
/// - Parameters:
///   - limit: How long to wait.
///   - operation: The operation; it is cancelled when the limit is reached.
/// - Returns: Its result; nil if it takes longer.
func result<Value: Sendable>(
    within limit: Duration, of operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let race = FirstResult<Value?>()
    let work = Task { _ = race.finish(await operation()) }
    let timer = Task { if await SystemTime().sleepUnlessCancelled(for: limit) { race.finish(nil) } }
    defer {
        work.cancel()
        timer.cancel()
    }
    return await race.value
}
