import Foundation
package import TrackerConfig
package import TrackerConsole
import TrackerCore

/// The options of a console and its server.
package struct ServerArguments: Sendable {
    package static let options = [port, host, tokenFile, token]

    private static let port = CommandOption(
        "--port", .integer(0...65_535), "N", builtIn: "a free one", help: "the port of the console")
    private static let host = CommandOption(
        "--host", .text, "ADDRESS", builtIn: "127.0.0.1",
        help: "the IP address to listen on, or localhost; an address that other machines reach needs a token")
    private static let tokenFile = CommandOption(
        "--token-file", .file, "FILE", help: "a file with the access token of the console")
    private static let token = CommandOption(
        "--token", .text, "TOKEN", environment: "CONSOLE_TOKEN",
        help: "the access token; prefer the file or the variable, because other users see command lines")

    private let address: String
    private let port: UInt16
    private var options = ConsoleOptions()

    /// Reads the options.
    /// - Parameters:
    ///   - arguments: The arguments of a command.
    ///   - title: What the page calls the service.
    ///   - allowsChanges: Whether the page can change something.
    /// - Throws: If they cannot be used.
    package init(_ arguments: Arguments, title: String, allowsChanges: Bool) throws(CommandFailure) {
        let host = arguments.text(Self.host) ?? "127.0.0.1"
        address = host == "localhost" ? "127.0.0.1" : host
        guard Self.isAddress(address) else { throw .usage("--host takes an IP address or localhost, not '\(host)'") }
        port = UInt16(arguments.integer(Self.port) ?? 0)
        options.path = "/"
        options.title = title
        options.allowsChanges = allowsChanges
        options.token = try Self.readToken(arguments)
        guard options.token != nil || address.hasPrefix("127.") || address == "::1" else {
            throw .usage("--host \(host) can be reached by others; set --token-file or $CONSOLE_TOKEN")
        }
    }

    /// Who may do what, for people.
    package var terms: String {
        (options.allowsChanges ? "changes are allowed" : "read-only")
            + (options.token == nil ? "" : ", with the token")
    }

    /// Takes the port, before a setup starts that a failure would have to stop again.
    package func listen() throws(CommandFailure) -> ConsoleServer {
        try ConsoleServer(address: address, port: port)
    }

    /// The console of a setup.
    package func console(_ setup: Setup) -> WebConsole {
        WebConsole(setup, options: options)
    }

    private static func readToken(_ arguments: Arguments) throws(CommandFailure) -> String? {
        if let path = arguments.text(tokenFile) {
            guard !arguments.isGiven(token) else { throw .usage("--token and --token-file exclude each other") }
            let text = String(decoding: try InputFile(path, atMost: 65_536).text, as: UTF8.self).trimmed
            guard !text.isEmpty else { throw .usage("--token-file: '\(path)' is empty") }
            return text
        }
        guard let text = arguments.text(token) else { return nil }
        guard !text.trimmed.isEmpty else { throw .usage("--token is empty") }
        if arguments.isGiven(token) {
            StandardStream.error.write(
                line: "warning: --token shows in the list of processes; use --token-file or $CONSOLE_TOKEN")
        }
        return text
    }

    private static func isAddress(_ text: String) -> Bool {
        var (old, new) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, text, &old) == 1 || inet_pton(AF_INET6, text, &new) == 1
    }
}
