import Foundation
import HTTPSink
import Workload

/// Kills a tracking process over and over and says what became of its events.
@main
enum KilledCommand {
    private static let usage = """
        usage: killed [--kills N] [--seed N] [--delay MS]

          --kills N   how often the process is killed; built in: 20
                      (a third of the times right after a call of track() has returned, else at a random moment)
          --seed N    repeats the random moments of an earlier run; built in: a new one, which is printed
          --delay MS  how long the collector takes for an answer, so that requests are in flight; built in: 3

        Ends with 1 if an event was lost whose call had returned, or came twice though its request was not in flight.
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
