/// Shortens the list of steps of an episode that breaks a promise: it drops ever smaller chunks for as long as the rest
/// still breaks one ("delta debugging", https://www.st.cs.uni-saarland.de/papers/tse2002/).
package struct Reduction {
    package private(set) var steps: [Step]
    private let episode: Episode
    private let sabotage: Sabotage?
    private var attempts = 0
    private let maxAttempts: Int

    /// Begins with the steps up to the failure.
    package init(of episode: Episode, after count: Int, sabotage: Sabotage? = nil, maxAttempts: Int = 1_000) {
        (self.episode, self.sabotage, self.maxAttempts) = (episode, sabotage, maxAttempts)
        steps = Array(episode.steps.prefix(count))
    }

    /// Shortens the list.
    /// - Throws: If there is no directory for the service.
    package mutating func run() async throws {
        var size = max(steps.count / 2, 1)
        while size >= 1, attempts < maxAttempts {
            var start = 0
            var hasDropped = false
            while start < steps.count, attempts < maxAttempts {
                var rest = steps
                rest.removeSubrange(start..<min(start + size, steps.count))
                attempts += 1
                let result = try await episode.run(rest, sabotage: sabotage)
                if result.violations.isEmpty {
                    start += size
                } else {
                    // What follows the failure is not needed either.
                    steps = Array(rest.prefix(result.count))
                    hasDropped = true
                }
            }
            if size == 1, !hasDropped { break }
            size = size == 1 ? 1 : size / 2
        }
    }
}
