import Foundation
import TrackerFeatures
import TrackerRedis

/// One of the processes of a fleet: gives its own variant to units that others have too, and prints the variant that each has then.
///
///     assign-variants SOCKET PREFIX PROCESS UNITS
@main
enum AssignVariants {
    static func main() async throws {
        let words = CommandLine.arguments
        var options = RedisOptions(unixSocket: words[1])
        (options.prefix, options.reconnectDelay) = (words[2], .milliseconds(5))
        let store = RedisAssignmentStore(options)
        let count = Int(words[4])!
        // Each process begins with another unit.
        let start = count / 8 * Int(words[3])!
        var variants: [Int: String] = [:]
        for batch in stride(from: 0, to: count, by: 20) {
            let numbers = (batch..<min(batch + 20, count)).map { ($0 + start) % count }
            let units = numbers.map { ExperimentUnit(name: "userId", id: "u-\($0)") }
            let assignments = units.map { unit in
                StickyAssignment(unit: unit, experiment: "e", variant: "v\(words[3])", date: Date())
            }
            // What the store does not name is stored as it was given.
            for assignment in assignments + (await persistently { try await store.save(assignments) }) {
                variants[Int(assignment.unit.id.dropFirst(2))!] = assignment.variant
            }
        }
        print((0..<count).map { variants[$0] ?? "none" }.joined(separator: " "))
        store.close()
    }

    /// Tries again until the server answers.
    private static func persistently<Result>(_ body: () async throws -> Result) async -> Result {
        while true {
            do {
                return try await body()
            } catch {
                await Task.yield()
            }
        }
    }
}
