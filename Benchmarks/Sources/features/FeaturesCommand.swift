import Foundation
import TrackerConfig
import Workload

/// Takes figures of features and experiments; prints each as a line of JSON.
@main
enum FeaturesCommand {
    private static let usage = """
        usage: features [reads|allocations|document|one]

        Without a word it takes all figures but the last word's. All are of a document of 10,000 variables, ten a feature,
        and 500 experiments.

          reads [--samples N] [--reads N]    the time of reads and evaluations, by one thread and by two
          allocations [--reads N]            what they allocate; ends with 1 where a Bool by handle does, with a rule or
                                             without
          document [--samples N]             decoded, in effect after a refresh, and what a reader notices meanwhile
          one --of FIGURE [--reads N]        nothing but those reads, for callgrind: the function `Reading.run`
        """

    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            let samples = try options.number("samples") ?? 15
            let reads = try options.number("reads") ?? 50_000
            switch options.words.first {
            case nil:
                try await ReadTimes.measure(samples: samples, reads: reads)
                try await ReadAllocations.measure(reads: reads)
                try await LargeDocument.measure(samples: samples)
            case "reads": try await ReadTimes.measure(samples: samples, reads: reads)
            case "allocations": try await ReadAllocations.measure(reads: reads)
            case "document": try await LargeDocument.measure(samples: samples)
            case "one": try await ReadTimes.readOnly(options.text("of") ?? "", reads)
            default: throw BenchmarkError(usage)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
