import Foundation
import TestSupport
import TrackerConfig
import TrackerConsole
import TrackerCore

/// Asks a console as its page does.
struct ConsoleBrowser {
    let console: WebConsole
    var headers = [HTTPHeader(name: "Host", value: "localhost:8080")]

    init(_ setup: Setup, _ configure: (inout ConsoleOptions) -> Void = { $0.allowsChanges = true }) {
        var options = ConsoleOptions()
        configure(&options)
        console = WebConsole(setup, options: options)
    }

    /// An answer with its JSON.
    struct Answer {
        let response: ConsoleResponse
        let json: JSONObject

        var status: Int { response.status }

        var error: String? { json["error"]?.string }

        func header(_ name: String) -> String? { response.headers.first { $0.name == name }?.value }

        var text: String {
            guard case .bytes(let bytes) = response.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    func send(_ method: String, _ path: String, _ body: String? = nil) async -> Answer {
        var headers = headers
        if body != nil { headers.append(HTTPHeader(name: "Content-Type", value: "application/json")) }
        let response = await console.respond(
            to: ConsoleRequest(
                method: method, path: "/console/\(path)", headers: headers, body: Array((body ?? "").utf8)))
        var json = JSONObject()
        if case .bytes(let bytes) = response.body, let value = try? JSONReader.read(written: bytes).value.object {
            json = value
        }
        return Answer(response: response, json: json)
    }

    func get(_ path: String) async -> JSONObject { await send("GET", path).json }
}

extension FeatureService {
    /// Starts with a default, waits for the first fetch, and opens a console.
    func browse(
        default features: String = "{}", _ configure: (inout SetupOptions) -> Void = { _ in }
    ) async throws -> (Setup, ConsoleBrowser) {
        let setup = try await start(default: features, configure)
        return (setup, ConsoleBrowser(setup))
    }
}

extension JSONValue {
    /// The element of an array, or the member of an object, that is at a path as `features.0.name`; null where there is none.
    func at(_ path: String) -> JSONValue {
        path.split(separator: ".").reduce(self) { value, step in
            if let index = Int(step), let array = value.array {
                return array.indices.contains(index) ? array[index] : .null
            }
            return value.object?[String(step)] ?? .null
        }
    }
}

extension JSONObject {
    /// What is at a path as `features.0.name`; null where there is nothing.
    func at(_ path: String) -> JSONValue { JSONValue.object(self).at(path) }
}
