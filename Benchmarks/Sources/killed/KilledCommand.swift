import Foundation
import HTTPSink
import Workload

/// Kills a tracking process at random moments and says what became of its events.
@main
enum KilledCommand {
    private static let usage = """
        usage: killed [--kills N] [--seed N] [--delay MS]

          --kills N   how often the process is killed; built in: 20
          --seed N    repeats the moments of an earlier run; built in: a new one, which is printed
          --delay MS  how long the collector takes for an answer, so that requests are in flight; built in: 3
        """

    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            switch options.words.first {
            case nil: try await Trial(options).run()
            case "child": try await Child(options).run()
            default: throw BenchmarkError(usage)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
