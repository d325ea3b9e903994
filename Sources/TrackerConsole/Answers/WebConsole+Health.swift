import TrackerConfig

extension WebConsole {
    /// Whether the service can work, for load balancers and probes: 200 or 503 with the lines of the status.
    /// - Parameter isStrict: Whether a tracker that fails is a failure of the service too.
    /// - Returns: The answer.
    /// - Throws: ``ConsoleError`` if the lines cannot be written as JSON.
    func health(isStrict: Bool) throws(ConsoleError) -> ConsoleResponse {
        let status = setup.status
        let lines = status.lines
        let isFailure = !status.isHealthy || isStrict && !status.failing.isEmpty
        let isWarning = lines.contains { $0.level == .problem || $0.level == .warning }
        let verdict: JSONValue = isFailure ? "fail" : isWarning ? "warn" : "pass"
        let json = try Self.json(of: lines)
        return ConsoleResponse(json: ["status": verdict, "lines": json], status: isFailure ? 503 : 200)
    }
}
