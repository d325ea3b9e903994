import Foundation
package import TrackerConfig
package import TrackerConsole
import TrackerCore

/// The options of a console and its server.
package struct ServerArguments: Sendable {
    package static let options = [port, host, tokenFile]

    private static let port = CommandOption(
        "--port", .integer(0...65_535), "N", builtIn: "a free one", help: "the port of the console")
    private static let host = CommandOption(
        "--host", .text, "ADDRESS", builtIn: "127.0.0.1",
        help: "the IP address to listen on, or localhost; an address that other machines reach needs a token")
    package static let tokenFile = CommandOption(
        "--token-file", .file, "FILE",
        help: "a file with the access token of the console; without it, the variable CONSOLE_TOKEN is the token")

    private let address: String
    private let port: UInt16
    private var options = ConsoleOptions()

    /// Reads the options.
    /// - Parameters:
    ///   - arguments: The arguments of a command.
    ///   - title: The service's name on the page.
    ///   - allowsChanges: Whether the page allows changes.
    /// - Throws: If an option is invalid.
    package init(_ arguments: Arguments, title: String, allowsChanges: Bool) throws(CommandFailure) {
        let host = arguments.text(Self.host) ?? "127.0.0.1"
        address = host == "localhost" ? "127.0.0.1" : host
        guard Self.isAddress(address) else { throw .usage("--host takes an IP address or localhost, not '\(host)'") }
        port = UInt16(arguments.integer(Self.port) ?? 0)
        options.path = "/"
        options.title = title
        options.allowsChanges = allowsChanges
        options.token = try Self.token(arguments)
        guard options.token != nil || address.hasPrefix("127.") || address == "::1" else {
            throw .usage("--host \(host) can be reached by others; set --token-file or $CONSOLE_TOKEN")
        }
    }

    /// A description of the access rules for people.
    package var terms: String {
        (options.allowsChanges ? "changes are allowed" : "read-only")
            + (options.token == nil ? "" : ", with the token")
    }

    /// Listens on the port. Called before a setup starts, so that no setup has to be stopped if it fails.
    package func listen() throws(CommandFailure) -> ConsoleServer {
        try ConsoleServer(address: address, port: port)
    }

    /// Creates the console of a setup.
    package func console(_ setup: Setup) -> WebConsole {
        WebConsole(setup, options: options)
    }

    package static func token(_ arguments: Arguments) throws(CommandFailure) -> String? {
        guard let path = arguments.text(tokenFile) else {
            guard let text = ProcessInfo.processInfo.environment["CONSOLE_TOKEN"], !text.isEmpty else { return nil }
            guard !text.trimmed.isEmpty else { throw .usage("CONSOLE_TOKEN is empty") }
            return text
        }
        let text = String(decoding: try InputFile(path, atMost: 65_536).text, as: UTF8.self).trimmed
        guard !text.isEmpty else { throw .usage("--token-file: '\(path)' is empty") }
        return text
    }

    private static func isAddress(_ text: String) -> Bool {
        var (old, new) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, text, &old) == 1 || inet_pton(AF_INET6, text, &new) == 1
    }
}
