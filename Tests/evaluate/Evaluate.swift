import Foundation
import TrackerCore

/// `evaluate`: answers the cases that GrowthBook publishes for authors of SDKs, by what services use.
///
/// It reads cases from standard input, one JSON object a line, and prints the result of each, or an error, on a line of its own.
/// The column with the expected result is not read. `{"category":"hash","case":["seed","b",2,0.2696]}` gives
/// `{"result":0.2696}`.
@main
enum Evaluate {
    static func main() async throws {
        while let line = readLine() {
            let answer = JSONValue.object(await EvaluationCase.answer(Array(line.utf8)))
            try FileHandle.standardOutput.write(contentsOf: Data("\(answer)\n".utf8))
        }
    }
}
