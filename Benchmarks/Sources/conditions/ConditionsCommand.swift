import CAllocations
import Foundation
@_spi(Tools) import TrackerConfig
import Workload

/// Takes figures of the evaluation of conditions; prints each as a line of JSON.
@main
enum ConditionsCommand {
    private static let usage = """
        usage: conditions [--samples N] [--matches N]

        The time and the allocations of a match, of which the attributes come from a dictionary. Ends with 1 if a match
        has a wrong result, or allocates without a regular expression.
        """

    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            guard options.words.isEmpty else { throw BenchmarkError(usage) }
            let samples = try options.number("samples") ?? 15
            let matches = try options.number("matches") ?? 200_000
            try await onThread { Result { try measure(samples, matches) } }.get()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func measure(_ samples: Int, _ matches: Int) throws {
        // What the look-ups cost without a condition.
        try report("three_lookups", samples, matches) {
            attributes["plan"] != nil && attributes["country"] != nil && attributes["email"] != nil
        }
        for (name, json) in conditions {
            let condition = Internals.CompiledCondition(json)
            guard condition.problems.isEmpty else { throw BenchmarkError("\(name): \(condition.problems)") }
            try report(name, samples, matches, mayAllocate: "\(json)".contains("$regex")) {
                condition.matches { attributes[$0] }
            }
        }
    }

    private static func report(
        _ name: String, _ samples: Int, _ matches: Int, mayAllocate: Bool = false, _ match: () -> Bool
    ) throws {
        func run() throws {
            var right = 0
            for _ in 0..<matches where match() { right += 1 }
            guard right == matches else { throw BenchmarkError("\(name): a match has a wrong result") }
        }
        try run()
        let before = allocations_of_thread().allocations
        let times = try (0..<samples).map { _ in
            let start = Meter.nanoseconds
            try run()
            return Double(Meter.nanoseconds - start) / Double(matches)
        }
        // The list of times and its sorting allocate, but not once for each match.
        let allocations = Double(allocations_of_thread().allocations - before) / Double(samples * matches)
        try Figure(name, times.median, "ns").print()
        try Figure("\(name)_allocations", allocations, "per match").print()
        if allocations > 0.5, !mayAllocate { throw BenchmarkError("\(name): a match allocates") }
    }

    private static let attributes: [String: JSONValue] = [
        "plan": "pro", "country": "CA", "email": "first.last@example.com", "version": "10.12.3-rc.1",
        "userAgent": .string(
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari"
        ), "id": "user-4711",
    ]

    private static let conditions: [(String, JSONObject)] = [
        ("one_clause", ["plan": "pro"]),
        (
            "three_clauses",
            ["plan": "pro", "country": ["$in": ["US", "CA"]], "email": ["$regex": "@example\\.com$"]]
        ),
        ("one_regex", ["email": ["$regex": "@example\\.com$"]]),
        ("regex_of_user_agent", ["userAgent": ["$regex": "(Mobile|Tablet)"]]),
        ("regex_in_any_case", ["email": ["$regexi": "^[a-z.]+@EXAMPLE\\.(com|org)$"]]),
        ("one_version", ["version": ["$vlt": "10.12.3"]]),
        ("in_10000", ["id": ["$in": .array((0..<10_000).map { .string("user-\($0)") })]]),
    ]
}
