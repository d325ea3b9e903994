import Foundation
import TestSupport
import Testing
import TrackerCommandLine
import TrackerCore
import TrackerTesting

@testable import demo_tracker

/// What stops the demonstration and its shop; Tests/BlackBox/test_demo.py runs all of it.
@Suite("The demonstration", .endsWhenItHangs, .mayBlock)
struct DemonstrationTests {
    private let directory = TemporaryDirectory()
    private let printed = Locked<[String]>([])

    private func demonstration(north: DemoCollector? = nil) throws -> Demonstration {
        let printer = Printer(style: TextStyle(isColoured: false), width: 80) { [printed] line in
            printed.withLock { $0.append(line) }
        }
        return Demonstration(
            directory: directory.path, printer: printer,
            servers: try DemoServers(directory.file("files"), north: north))
    }

    /// Waits for a line with some words, and calls a closure until it is there.
    @discardableResult
    private func line(with words: String, _ body: () -> Void = {}) async throws -> String {
        func find() -> String? { printed.withLock { $0.first { $0.contains(words) } } }
        try await waitUntil("a line has \(words)") {
            body()
            return find() != nil
        }
        return try #require(find())
    }

    @Test("stops at the chapter whose events a collector has lost")
    func losingCollector() async throws {
        var demonstration = try demonstration(north: DemoCollector(keepsEvents: false))
        let fault = await #expect(throws: CommandFailure.self) { try await demonstration.run() }
        #expect(fault?.reason == "chapter 2 does not show what it claims: events: expected 2, found 0")
        #expect(printed.withLock { $0 }.count { $0.contains("Result: ") } == 1)
    }

    @Test("accounts at its end for each document and each event")
    func accounts() throws {
        var demonstration = try demonstration()
        demonstration.published = [1, 2]
        demonstration.applied = [1]
        let part = "the summary does not show what it claims: "
        let fault = #expect(throws: CommandFailure.self) { try demonstration.sumUp() }
        #expect(fault?.reason == part + "published versions: expected [1, 2], found [1]")
        demonstration.rejected = [2]
        demonstration.tracked = 1
        let other = #expect(throws: CommandFailure.self) { try demonstration.sumUp() }
        #expect(other?.reason == part + "events that were delivered or dropped: expected 1, found 0")
    }

    @Test("says in a sentence why a version of the shop is not published, and leaves another document in its place")
    func shop() async throws {
        let arguments = try Arguments([], of: DemoCommand.command)
        let server = try ServerArguments(arguments, title: "Shop", allowsChanges: true)
        let console = try server.listen()
        let demonstration = try demonstration()
        let shop = Task {
            var demonstration = demonstration
            try await demonstration.runShop(server, console, interval: .milliseconds(1))
        }
        try await line(with: "version 2 is published, as a canary to a collector that does not answer")
        try await line(with: "version 4 is published, with a mistake")
        let files = directory.file("shop-files")
        try FileManager.default.moveItem(atPath: files, toPath: "\(files)-gone")
        let fault = try await line(with: " could not be published: cannot ")
        #expect(fault.hasSuffix(": No such file or directory"))
        try FileManager.default.moveItem(atPath: "\(files)-gone", toPath: files)
        // Again and again, because a version may be published just then.
        try await line(with: "\(files)/shop.json is another document now; no further version is published") {
            directory.write("{}", to: "shop-files/shop.json")
        }
        #expect(try String(contentsOfFile: "\(files)/shop.json", encoding: .utf8) == "{}")
        shop.cancel()
        try await shop.value
    }
}
