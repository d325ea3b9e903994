import Foundation
import TrackerLoopbackServer
import TrackerCommandLine
import TrackerConfig

/// `tracker-config console`: a setup with its console in a browser.
enum ConsoleCommand {
    static let help = """
        tracker-config console --config URL [options]: a setup of the SDK with its console, to be opened in a browser

        Shows what a service with this document would have in effect and why. Ends with Ctrl-C.

          --port N              the port of the console (a free one)
          --allow-changes       lets the page refresh, override features and force variants; else it only shows
          --token T             what the page asks for before it shows anything
          --host ADDRESS        the address to listen on (127.0.0.1); another one needs --token
        \(ServiceArguments.help)
        """

    static func run(_ words: [String]) async throws(UsageError) {
        let arguments = try Arguments(
            words, options: ServiceArguments.options.union(ServerArguments.options), flags: ["--allow-changes"])
        if arguments.wantsHelp { return print(help) }
        guard arguments.operands.isEmpty else { throw UsageError("'\(arguments.operands[0])' is not expected here") }
        let server = try ServerArguments(arguments, title: "tracker-config")
        let output = StandardStream.output
        let termination = await Termination()
        let setup = try ServiceArguments(arguments).start {
            output.write(line: "fetched: \($0)")
        } onSuccess: { update in
            let version = update.version.map(String.init) ?? "none"
            output.write(line: "\(update.state.rawValue): version \(version), \(update.namespaces)")
        }
        let console = try server.start(setup)
        output.write(line: "the console is at \(console.server.url)/, \(server.terms)")
        await termination.wait()
        console.server.stop()
        let report = await setup.shutdown(timeout: .seconds(2))
        output.write(line: "shut down: \(report.sent) events sent, \(report.stored) stored, \(report.dropped) dropped")
    }
}
