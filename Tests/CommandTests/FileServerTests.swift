import Foundation
import TrackerLoopbackServer
import TestSupport
import Testing
import TrackerTesting

@testable import demo_tracker

@Suite("The file server", .endsWhenItHangs, .mayBlock)
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

    private func setModified(_ path: String, _ seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: site + path)
    }

    private func link(_ path: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: site + path, withDestinationPath: destination)
    }

    @Test("serves a file with its type, tag and date")
    func file() throws {
        try setModified("/config.json", 784_111_777.9)
        let answer = try ask("/config.json?version=2")
        #expect(answer.status == 200)
        #expect(answer.body == "{}")
        #expect(answer.headers["Content-Type"] == "application/json")
        // FNV-1a of "{}", computed elsewhere.
        #expect(answer.headers["ETag"] == "\"08f44b07b5901a25\"")
        #expect(answer.headers["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("serves files of other types, with spaces in their names, empty and large")
    func otherFiles() throws {
        let large = String(repeating: "0123456789", count: 100_000)
        parent.write(large, to: "site/sub/a file")
        parent.write("", to: "site/empty")
        let answer = try ask("/sub/a%20file")
        #expect(answer.body == large)
        #expect(answer.headers["Content-Type"] == "application/octet-stream")
        #expect(try ask("/sub%2Fa%20file").status == 200)
        #expect(try ask("/empty").status == 200)
        #expect(try ask("/empty").body == "")
    }

    @Test("answers over a connection, to HEAD without a body")
    func overConnection() throws {
        let files = files
        let server = try LoopbackServer { files.reply(to: $0) }
        let client = try RawClient(port: server.port)
        try client.send("HEAD /config.json HTTP/1.1\r\n\r\n")
        let head = try client.readAnswer(hasBody: false)
        try client.send("GET /config.json HTTP/1.1\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.text == "{}")
        #expect(head.headers == answer.headers)
        try client.send("GET /config.json HTTP/1.1\r\nIf-None-Match: \(answer.headers["etag"] ?? "")\r\n\r\n")
        #expect(try client.readAnswer().status == 304)
        try client.send("GET /../secret HTTP/1.1\r\n\r\n")
        #expect(try client.readAnswer().status == 404)
    }

    @Test("the tag changes with the content, and only with it")
    func tag() throws {
        let tag = try ask("/config.json").headers["ETag"]
        try setModified("/config.json", 1_000_000_000)
        #expect(try ask("/config.json").headers["ETag"] == tag)
        parent.write("[]", to: "site/config.json")
        #expect(try ask("/config.json").headers["ETag"] != tag)
    }

    @Test(
        "If-None-Match with the tag gives 304",
        arguments: [
            "TAG", "W/TAG", "\"x\", TAG", "\"a,b\" ,W/TAG,\"c\"", " * ", "TAG,",
        ])
    func sameTag(value: String) throws {
        let tag = try #require(try ask("/config.json").headers["ETag"])
        let answer = try ask("/config.json", [("If-None-Match", value.replacing("TAG", with: tag))])
        #expect(answer.status == 304)
        #expect(answer.headers["ETag"] == tag)
        #expect(answer.body == "")
    }

    @Test("If-None-Match without the tag gives 200", arguments: ["\"x\"", "BARE", "\"TAG\"", "", "\"*\"", "\"x, BARE"])
    func otherTag(value: String) throws {
        let tag = try #require(try ask("/config.json").headers["ETag"])
        let bare = String(tag.dropFirst().dropLast())
        let text = value.replacing("TAG", with: "x\(bare)").replacing("BARE", with: bare)
        #expect(try ask("/config.json", [("If-None-Match", text)]).status == 200)
    }

    @Test("If-None-Match in two fields counts as one list")
    func twoFields() throws {
        let tag = try #require(try ask("/config.json").headers["ETag"])
        #expect(try ask("/config.json", [("If-None-Match", "\"x\""), ("if-none-match", tag)]).status == 304)
    }

    @Test(
        "If-Modified-Since gives 304 from the file's second on",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:36 GMT", 200),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 304),
            ("Mon, 07 Nov 1994 00:00:00 GMT", 304),
            ("Mon, 06 Nov 1994 08:49:37 GMT", 200),
            ("Thu, 31 Feb 2030 00:00:00 GMT", 200),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 200),
            ("x 1 Nov -2147483648 0:0:0 GMT", 200),
            ("yesterday", 200),
            ("", 200),
        ])
    func modifiedSince(date: String, status: Int) throws {
        try setModified("/config.json", 784_111_777)
        let answer = try ask("/config.json", [("If-Modified-Since", date)])
        #expect(answer.status == status)
        #expect(answer.headers["ETag"] != nil)
    }

    @Test("If-Modified-Since does not count beside If-None-Match")
    func both() throws {
        let headers = [("If-None-Match", "\"other\""), ("If-Modified-Since", "Tue, 01 Jan 2999 00:00:00 GMT")]
        #expect(try ask("/config.json", Array(headers.dropFirst())).status == 304)
        #expect(try ask("/config.json", headers).status == 200)
    }

    @Test("dates are written as HTTP wants them", arguments: [0, 951_782_400, 1_767_225_599, 4_102_444_800])
    func dates(seconds: Int) throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
        try setModified("/config.json", Double(seconds))
        #expect(try ask("/config.json").headers["Last-Modified"] == text)
        #expect(try ask("/config.json", [("If-Modified-Since", text)]).status == 304)
    }

    @Test("refuses other methods and says which it knows", arguments: ["POST", "PUT", "DELETE", "get"])
    func methods(method: String) throws {
        let answer = try ask("/config.json", method: method)
        #expect(answer.status == 405)
        #expect(answer.headers["Allow"] == "GET, HEAD")
    }

    @Test(
        "has nothing at other paths",
        arguments: ["/", "/absent", "/sub", "/sub/", "/config.json/", "/config.json%00", "*", "config.json", "/pipe"])
    func absent(target: String) throws {
        #expect(mkfifo(site + "/pipe", 0o600) == 0)
        #expect(try ask(target).status == 404)
    }

    @Test(
        "does not leave the directory by its path",
        arguments: [
            "/../secret", "/sub/../../secret", "/%2e%2e/secret", "/..%2fsecret", "/sub/..%2F../config.json",
            "/sub/../config.json", "/..", "/../site-secret", "/../site/config.json", "-secret", "/..//%CC%81/../secret",
        ])
    func traversal(target: String) throws {
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
        let request = ServerRequest(target: "/config.json")
        guard case .response(404, _, _, _) = linked.reply(to: request) else {
            Issue.record("served from a directory that is not there")
            return
        }
        try FileManager.default.createSymbolicLink(atPath: parent.file("linked"), withDestinationPath: "site")
        guard case .response(200, _, _, _) = linked.reply(to: request) else {
            Issue.record("not served from a linked directory")
            return
        }
    }
}
