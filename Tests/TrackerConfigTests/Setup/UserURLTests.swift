import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Ids of users in the document's URL, hostile ones too.
@Suite("Users in URLs", .endsWhenItHangs)
struct UserURLTests {
    private let site = UserSite()
    private var service: Service { site.service }

    /// Ids, and how they stand in a URL.
    static let ids = [
        ("u-1._~Z", "u-1._~Z"), ("../../etc/passwd", "..%2F..%2Fetc%2Fpasswd"), ("%2e", "%252e"), ("...", "..."),
        ("?x=1&y#z \\", "%3Fx%3D1%26y%23z%20%5C"), ("a\u{0}b\r\n", "a%00b%0D%0A"),
        ("a@evil.example:80", "a%40evil.example%3A80"), ("{user}", "%7Buser%7D"), ("👩🏽", "%F0%9F%91%A9%F0%9F%8F%BD"),
    ]

    @Test("of an id only unreserved characters stand as they are", arguments: ids)
    func encoded(id: String, text: String) async throws {
        let url = "https://config.example/{user}/trackers.json?user={user}"
        let setup = try await site.start(as: id, url)
        #expect(service.fetches.map(\.url) == ["https://config.example/\(text)/trackers.json?user=\(text)"])
        #expect(setup.status.document.user == id)
        await setup.shutdown(timeout: .zero)
    }

    @Test("nobody is an empty text", arguments: [nil, ""])
    func nobody(id: String?) async throws {
        let setup = try await site.start(as: id, "https://config.example/{user}/trackers.json?user={user}")
        #expect(service.fetches.map(\.url) == ["https://config.example//trackers.json?user="])
        await setup.shutdown(timeout: .zero)
    }

    @Test("in a file's name an id stands encoded, and leads to no other directory", arguments: ids)
    func file(id: String, text: String) async throws {
        let outside = service.directory.file("etc")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        let users = service.directory.file("deep/users")
        try FileManager.default.createDirectory(atPath: users, withIntermediateDirectories: true)
        service.directory.write(UserSite.text(1, ["outside"]), to: "etc/passwd")
        service.directory.write(UserSite.text(2, ["own"]), to: "deep/users/\(text)")
        let setup = try await site.start(as: id, "file://\(users)/{user}")
        #expect(service.outcomes == [.applied(version: 2, namespaces: ["own"])])
        await setup.shutdown(timeout: .zero)
    }

    @Test("ids that are folders in a path, or too long, are refused with a reason")
    func refused() {
        let folder = { (id: String) in "user: the id '\(id)' would name a folder in the URL" }
        for (id, sentence) in [
            (".", folder(".")), ("..", folder("..")), (String(repeating: "x", count: 2021), "it is longer than 2,048"),
        ] {
            let error = #expect(throws: ConfigurationError.self) {
                _ = try service.start(UserSite.url, remote: { $0.user = id })
            }
            #expect(error?.code == .unusableURL)
            #expect(error?.description.contains(sentence) == true)
        }
    }

    @Test(
        "an id cannot choose the server",
        arguments: [
            "https://{user}/t.json", "{user}.example/t.json", "https://{user}@config.example/t", "http://a:{user}/",
        ])
    func authority(url: String) {
        let error = #expect(throws: ConfigurationError.self) { _ = try service.start(url, remote: { $0.user = "u" }) }
        #expect(error?.code == .unusableURL)
        #expect(error?.reason.contains("before the path") == true)
    }

    @Test("ids that look alike and have other bytes are other users")
    func bytes() async throws {
        let (one, two) = ("\u{E9}", "e\u{301}")
        try service.cache(UserSite.text(1, ["one"]), url: "https://config.example/%C3%A9.json")
        try service.cache(UserSite.text(1, ["two"]), url: "https://config.example/e%CC%81.json")
        for (id, namespace) in [(one, "one"), (two, "two")] {
            let setup = try await site.start(as: id)
            #expect(setup.namespaces == [namespace])
            await setup.shutdown(timeout: .zero)
        }
    }
}
