import ConfigurationWorkload
import Foundation
import TrackerConfig
import Workload

/// Takes figures of a configuration's life; prints each as a line of JSON.
@main
enum ConfigurationCommand {
    private static let usage = """
        usage: configuration [documents|rules|start|namespaces|pauses|decode|apply]

        Without a word it takes all figures but the last two, each in a process of its own.

          documents [--samples N]    documents of 10 KB and 1 MB: decoded alone, and applied through a refresh
          rules [--samples N]        1 MB with 1,000 rules and 500 experiments, decoded and swapped
          start [--starts N]         from a cached document of 10 namespaces until its trackers can be used
          namespaces [--count N]     one document of 1,000 namespaces: start, change of one and of all, memory
          pauses [--samples N]       the longest track() of two threads while 1 MB is applied, and without
          decode [--bytes N] [--document mixed|namespaces|rules] [--times N]
                                     nothing but decoding, for callgrind
          apply [--bytes N] [--document mixed|namespaces|rules] [--times N] [--cache memory|disk]
                                     nothing but that many documents applied by one service, for callgrind
        """

    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            switch options.words.first {
            case nil: for word in ["documents", "rules", "start", "namespaces", "pauses"] { try measureAlone([word]) }
            case "documents": try await Documents.measure(samples: try options.number("samples") ?? 9)
            case "rules": try await Documents.measureRules(samples: try options.number("samples") ?? 21)
            case "decode": try Documents.decode(options)
            case "apply": try await Documents.apply(options)
            case "start": try await Start.measure(starts: try options.number("starts") ?? 11)
            case "started": try Start.measureOne(options)
            case "namespaces": try await ManyNamespaces.measure(count: try options.number("count") ?? 1000)
            case "pauses": try await Pauses.measure(samples: try options.number("samples") ?? 10)
            default: throw BenchmarkError(usage)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    /// Runs this executable once more.
    /// - Returns: What it printed, where that is asked for.
    @discardableResult
    static func measureAlone(_ arguments: [String], isRead: Bool = false) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        let output = Pipe()
        if isRead { process.standardOutput = output }
        try process.run()
        let text = isRead ? try output.fileHandleForReading.readToEnd() ?? Data() : Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("\(arguments[0]) failed") }
        return String(decoding: text, as: UTF8.self)
    }
}
