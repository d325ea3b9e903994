import TrackerConfig

extension WebConsole {
    /// Whether the service can work, for load balancers and probes: 200 or 503 with the lines of the status.
    /// - Parameter isStrict: Whether a tracker that fails is a failure of the service too.
    /// - Returns: The answer.
    func health(isStrict: Bool) -> ConsoleResponse {
        let status = setup.status
        let isFailure = !status.isHealthy || isStrict && !status.failing.isEmpty
        let isWarning = status.lines.contains { $0.level == .problem || $0.level == .warning }
        let verdict: JSONValue = isFailure ? "fail" : isWarning ? "warn" : "pass"
        return ConsoleResponse(
            json: ["status": verdict, "lines": JSONValue(ofStatus: status.lines)], status: isFailure ? 503 : 200)
    }

    /// The effective configuration as a file to keep, without secrets.
    var configuration: ConsoleResponse {
        var writer = ByteWriter(capacity: 4096)
        writer.append(pretty: .object(setup.effectiveConfiguration))
        writer.append("\n")
        return ConsoleResponse(
            200,
            [
                HTTPHeader(name: "Content-Type", value: "application/json"),
                HTTPHeader(name: "Content-Disposition", value: #"attachment; filename="configuration.json""#),
            ], .bytes(writer.array))
    }
}
