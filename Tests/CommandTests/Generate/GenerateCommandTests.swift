import Foundation
import TestSupport
import Testing
import TrackerCommandLine
import TrackerTesting

@testable import tracker_config

@Suite("The command that generates accessors", .endsWhenItHangs)
struct GenerateCommandTests {
    private let directory = TemporaryDirectory()

    private func file(_ features: String) -> String {
        directory.write(GenerationText.document(features), to: "trackers.json")
        return directory.file("trackers.json")
    }

    private var target: URL { URL(fileURLWithPath: directory.path + "/made/Settings.swift") }

    private func generate(_ file: String) async throws -> TrackerCommandLine.ExitStatus {
        try await GenerateCommand.command.run([file, "--output", directory.path + "/made", "--name", "Settings"])
    }

    private func number(of file: URL) throws -> Int {
        // A file that is written has another number, as it is put in the place of the old one.
        try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int)
    }

    @Test("still writes what the story of a refresh is compiled with")
    func generatedForTests() async throws {
        let generated = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../TrackerConfigTests/Features/Generated").standardized
        let words = [generated.path + "/shop.json", "--output", directory.path, "--name", "ShopAccessors"]
        #expect(try await GenerateCommand.command.run(words) == .success)
        let written = try String(contentsOfFile: directory.file("ShopAccessors.swift"), encoding: .utf8)
        #expect(try String(contentsOf: generated.appending(path: "ShopAccessors.swift"), encoding: .utf8) == written)
    }

    @Test("writes a file named for the struct, and again only where it changes")
    func writes() async throws {
        #expect(try await generate(file(#"{"f":{"variables":{"v":{"value":1}}}}"#)) == .success)
        let text = try String(contentsOf: target, encoding: .utf8)
        #expect(text.hasPrefix("// Generated from trackers.json by tracker-config;"))
        #expect(text.contains("public struct Settings: Sendable {"))
        let first = try number(of: target)
        // Another order of words about the same variables.
        #expect(try await generate(file(#"{"f":{"variables":{"v":{"group":"g","value":1}}}}"#)) == .success)
        #expect(try number(of: target) == first)
        #expect(try await generate(file(#"{"f":{"variables":{"v":{"value":2}}}}"#)) == .success)
        #expect(try String(contentsOf: target, encoding: .utf8) == text.replacing("default: 1", with: "default: 2"))
    }

    @Test("writes nothing where the file cannot be used, and leaves what is there")
    func faults() async throws {
        let broken = file(#"{"f":{"variables":{"v":{}}}}"#)
        #expect(try await generate(broken) == .findings)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/made"))
        #expect(try await generate(file(#"{"f":{"variables":{"v":{"value":1}}}}"#)) == .success)
        let text = try String(contentsOf: target, encoding: .utf8)
        #expect(try await generate(file(#"{"f":{"variables":{"2":{"value":1}}}}"#)) == .findings)
        #expect(try String(contentsOf: target, encoding: .utf8) == text)
    }

    @Test("ends with 74 and the system's words if it cannot write")
    func unwritable() async throws {
        let path = file("{}")
        let error = try await #require(throws: CommandFailure.self) {
            try await GenerateCommand.command.run([path, "--output", "/proc/none", "--name", "Settings"])
        }
        #expect(error == CommandFailure(.inputOutput, "/proc/none/Settings.swift: No such file or directory"))
    }

    @Test(
        "takes only a type's name that is free",
        arguments: ["", "a", "A-b", "2A", "_A", "Type", "Features", "../A"])
    func names(name: String) async throws {
        let path = file("{}")
        let error = try await #require(throws: CommandFailure.self) {
            try await GenerateCommand.command.run([path, "--output", directory.path, "--name", name])
        }
        #expect(error.reason.hasPrefix("--name: expected a type's name"))
        #expect(error.reason.hasSuffix("found '\(name)'"))
    }
}
