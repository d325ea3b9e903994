import Foundation
import TestSupport
import Testing
import TrackerLoopbackServer
import TrackerTesting

@testable import demo_tracker

@Suite("The file server", .endsWhenItHangs)
struct FileServerTests {
    /// The parent of the served directory, so that there is something to escape to.
    private let parent = TemporaryDirectory()
    private let site: String
    private let files: FileServer

    init() throws {
        site = parent.file("site")
        files = FileServer(directory: site)
        try FileManager.default.createDirectory(atPath: site + "/sub", withIntermediateDirectories: true)
        parent.write("{}", to: "site/config.json")
        parent.write("secret", to: "secret")
        parent.write("secret", to: "site-secret")
    }

    /// The parts of an answer.
    private struct Answer {
        let status: Int
        let headers: [String: String]
        let body: String
    }

    private func ask(_ target: String, _ headers: [(String, String)] = [], method: String = "GET") throws -> Answer {
        let request = ServerRequest(method: method, target: target, headers: headers.map { (name: $0, value: $1) })
        guard case .response(let status, let headers, let body, false) = files.reply(to: request) else {
            throw CancellationError()
        }
        return Answer(
            status: status,
            headers: Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) }),
            body: String(decoding: body, as: UTF8.self))
    }

    private func link(_ path: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: site + path, withDestinationPath: destination)
    }

    @Test("serves a file with its type and tag")
    func file() throws {
        let answer = try ask("/config.json?version=2")
        #expect(answer.status == 200)
        #expect(answer.body == "{}")
        #expect(answer.headers["Content-Type"] == "application/json")
        // FNV-1a of "{}", computed elsewhere.
        #expect(answer.headers["ETag"] == "\"08f44b07b5901a25\"")
        #expect(try ask("/config.json", method: "HEAD").headers == answer.headers)
    }

    @Test("serves files of other types, with spaces in their names, empty and large")
    func otherFiles() throws {
        let large = String(repeating: "0123456789", count: 20_000)
        parent.write(large, to: "site/sub/a file")
        parent.write("", to: "site/empty")
        let answer = try ask("/sub/a%20file")
        #expect(answer.body == large)
        #expect(answer.headers["Content-Type"] == "application/octet-stream")
        #expect(try ask("/sub%2Fa%20file").status == 200)
        #expect(try ask("/empty").status == 200)
        #expect(try ask("/empty").body == "")
    }

    @Test("the tag changes with the content, and only with it")
    func tag() throws {
        let tag = try ask("/config.json").headers["ETag"]
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: site + "/config.json")
        #expect(try ask("/config.json").headers["ETag"] == tag)
        parent.write("[]", to: "site/config.json")
        #expect(try ask("/config.json").headers["ETag"] != tag)
    }

    @Test(
        "If-None-Match with the tag gives 304, without it 200; several fields count as one list",
        arguments: [
            (["TAG"], 304), (["\"a,b\" ,W/TAG,\"c\""], 304), ([" * "], 304), (["TAG,"], 304), (["\"x\"", "TAG"], 304),
            (["\"x\""], 200), (["BARE"], 200), (["\"xBARE\""], 200), ([""], 200), (["\"*\""], 200),
            (["\"x, BARE"], 200),
        ])
    func tags(values: [String], status: Int) throws {
        let tag = try #require(try ask("/config.json").headers["ETag"])
        let bare = String(tag.dropFirst().dropLast())
        let fields = values.map { ("if-none-match", $0.replacing("TAG", with: tag).replacing("BARE", with: bare)) }
        let answer = try ask("/config.json", fields)
        #expect(answer.status == status)
        #expect(answer.headers["ETag"] == tag)
        #expect(answer.body == (status == 304 ? "" : "{}"))
    }

    @Test("refuses other methods and says which it knows", arguments: ["POST", "get"])
    func methods(method: String) throws {
        let answer = try ask("/config.json", method: method)
        #expect(answer.status == 405)
        #expect(answer.headers["Allow"] == "GET, HEAD")
    }

    @Test(
        "has nothing at other paths, and does not leave the directory",
        arguments: [
            "/", "/absent", "/sub", "/sub/", "/config.json/", "/config.json%00", "*", "config.json", "/pipe",
            "/../secret", "/sub/../../secret", "/%2e%2e/secret", "/..%2fsecret", "/sub/..%2F../config.json", "/..",
            "/../site-secret", "-secret", "/..//%CC%81/../secret",
        ])
    func absent(target: String) throws {
        #expect(mkfifo(site + "/pipe", 0o600) == 0)
        #expect(try ask(target).status == 404)
    }

    @Test("does not leave the directory by a symbolic link")
    func linkOutside() throws {
        try link("/relative", to: "../secret")
        try link("/absolute", to: parent.file("secret"))
        try link("/sibling", to: parent.file("site-secret"))
        try link("/directory", to: parent.path)
        try link("/twice", to: "relative")
        try link("/loop", to: "loop")
        for path in ["/relative", "/absolute", "/sibling", "/directory/secret", "/twice", "/loop"] {
            #expect(try ask(path).status == 404, "\(path)")
        }
    }

    @Test("follows links that stay inside, as a Kubernetes ConfigMap has them")
    func linkInside() throws {
        try FileManager.default.createDirectory(atPath: site + "/..2024_01", withIntermediateDirectories: false)
        parent.write("mounted", to: "site/..2024_01/mounted.json")
        try link("/..data", to: "..2024_01")
        try link("/mounted.json", to: "..data/mounted.json")
        try link("/absolute.json", to: site + "/config.json")
        #expect(try ask("/mounted.json").body == "mounted")
        #expect(try ask("/absolute.json").body == "{}")
    }

    @Test("the directory itself may be a link, may end with a slash, and may come later")
    func linkedRoot() throws {
        let linked = FileServer(directory: parent.file("linked/"))
        func status() -> Int? {
            let reply = linked.reply(to: ServerRequest(target: "/config.json"))
            return if case .response(let status, _, _, _) = reply { status } else { nil }
        }
        #expect(status() == 404)
        try FileManager.default.createSymbolicLink(atPath: parent.file("linked"), withDestinationPath: "site")
        #expect(status() == 200)
    }
}
