/// Waits until a condition holds, and looks every 2 ms.
/// - Parameters:
///   - limit: The longest time to wait; 120 s by default, far longer than a busy machine needs.
///   - condition: The condition.
/// - Returns: Whether it holds.
/// - Throws: What the condition throws.
package func eventually(
    within limit: Duration = .seconds(120), _ condition: () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        if ContinuousClock.now > end { return false }
        try await Task.sleep(for: .milliseconds(2))
    }
    return true
}
