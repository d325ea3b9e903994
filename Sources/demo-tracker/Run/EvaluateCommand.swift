import GrowthBookConformance
import TrackerCommandLine

/// `demo-tracker evaluate`: conformance cases, answered by the SDK's own evaluator.
enum EvaluateCommand {
    static let command = ToolCommand(
        "evaluate", summary: "answers the cases that GrowthBook publishes for authors of SDKs",
        discussion: """
            Reads one case as a JSON object a line on standard input and prints its result, or why there is none, as one JSON
            object a line on standard output. The column with the expected result is not read. For example
              {"category":"hash","case":["seed","b",2,0.2696]}

            prints
              {"result":0.2696}

            Categories: \(EvaluationCase.categories.keys.sorted().joined(separator: ", ")).
            """,
        action: run)

    private static func run(_ arguments: Arguments) async throws(CommandFailure) -> ExitStatus {
        let termination = await Termination()
        for await line in LineInput.lines(until: termination) {
            StandardStream.output.write(await EvaluationCase.answer(line))
        }
        return .success
    }
}
