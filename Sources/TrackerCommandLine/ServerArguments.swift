import TrackerLoopbackServer
package import TrackerConfig
import TrackerConsole

/// The options of a console and its server.
package struct ServerArguments {
    package static let options: Set = ["--port", "--token", "--host"]

    private let address: String
    private let port: UInt16
    private var options = ConsoleOptions()

    /// - Parameters:
    ///   - arguments: The arguments of a command.
    ///   - title: What the page calls the service.
    ///   - allowsChanges: Whether it may change something where no argument says so.
    /// - Throws: Where they cannot be used.
    package init(_ arguments: Arguments, title: String, allowsChanges: Bool = false) throws(UsageError) {
        address = arguments.text("--host") ?? "127.0.0.1"
        port = UInt16(try arguments.integer("--port", in: 0...65_535) ?? 0)
        options.path = "/"
        options.title = title
        options.allowsChanges = allowsChanges || arguments.has("--allow-changes")
        options.token = arguments.text("--token")
        guard options.token != nil || address.hasPrefix("127.") else {
            throw UsageError("a console that others can reach needs --token")
        }
        guard options.token != "" else { throw UsageError("--token is empty") }
    }

    /// Who may do what, for people.
    package var terms: String {
        (options.allowsChanges ? "changes are allowed" : "to look only")
            + (options.token == nil ? "" : ", with the token")
    }

    package func start(_ setup: Setup) throws(UsageError) -> ConsoleServer {
        do throws(ServerError) {
            return try ConsoleServer(WebConsole(setup, options: options), address: address, port: port)
        } catch {
            throw UsageError("\(error)")
        }
    }
}
