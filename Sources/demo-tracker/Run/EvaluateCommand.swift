import GrowthBookConformance
import TrackerCommandLine

/// `demo-tracker evaluate`: conformance cases, answered by the SDK's own evaluator.
enum EvaluateCommand {
    static let command = ToolCommand(
        "evaluate", summary: "evaluate the test cases that GrowthBook publishes for authors of SDKs",
        discussion: """
            Reads cases from standard input and prints the result of each, or an error, on standard output, one JSON object
            a line each. The column with the expected result is not read. For example
              {"category":"hash","case":["seed","b",2,0.2696]}

            prints
              {"result":0.2696}

            Categories: \(EvaluationCase.categories.keys.sorted().joined(separator: ", ")).
            """,
        examples: [
            CommandExample("Hash a text", #"evaluate <<< '{"category":"hash","case":["seed","b",2,0.2696]}'"#)
        ], action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let termination = await Termination()
        for await line in LineInput.lines(until: termination) {
            StandardStream.output.write(await EvaluationCase.answer(line))
        }
        return .success
    }
}
