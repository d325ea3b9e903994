import Foundation
import TestSupport
import Testing
import TrackerCommandLine

@testable import tracker_config

@Suite("The command that generates accessors")
struct GenerateCommandTests {
    private let directory = TemporaryDirectory()

    private func file(_ features: String) -> String {
        directory.write(GenerationText.document(features), to: "trackers.json")
        return directory.file("trackers.json")
    }

    private var target: URL { URL(fileURLWithPath: directory.path + "/made/Settings.swift") }

    private func generate(_ file: String) throws -> Int32 {
        try GenerateCommand.run([file, "--output", directory.path + "/made", "--name", "Settings"])
    }

    private func number(of file: URL) throws -> Int {
        // A file that is written has another number, as it is put in the place of the old one.
        try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int)
    }

    @Test("still writes what the story of a refresh is compiled with")
    func generatedForTests() throws {
        let generated = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../TrackerConfigTests/Features/Generated").standardized
        let words = [generated.path + "/shop.json", "--output", directory.path, "--name", "ShopAccessors"]
        #expect(try GenerateCommand.run(words) == 0)
        let written = try String(contentsOfFile: directory.file("ShopAccessors.swift"), encoding: .utf8)
        #expect(try String(contentsOf: generated.appending(path: "ShopAccessors.swift"), encoding: .utf8) == written)
    }

    @Test("writes a file named for the struct, and again only where it changes")
    func writes() throws {
        #expect(try generate(file(#"{"f":{"variables":{"v":{"value":1}}}}"#)) == 0)
        let text = try String(contentsOf: target, encoding: .utf8)
        #expect(text.hasPrefix("// Generated from trackers.json by tracker-config;"))
        #expect(text.contains("public struct Settings: Sendable {"))
        let first = try number(of: target)
        // Another order of words about the same variables.
        #expect(try generate(file(#"{"f":{"variables":{"v":{"group":"g","value":1}}}}"#)) == 0)
        #expect(try number(of: target) == first)
        #expect(try generate(file(#"{"f":{"variables":{"v":{"value":2}}}}"#)) == 0)
        #expect(try String(contentsOf: target, encoding: .utf8) == text.replacing("default: 1", with: "default: 2"))
    }

    @Test("writes nothing where the file cannot be used, and leaves what is there")
    func faults() throws {
        let broken = file(#"{"f":{"variables":{"v":{}}}}"#)
        #expect(try generate(broken) == 1)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/made"))
        #expect(try generate(file(#"{"f":{"variables":{"v":{"value":1}}}}"#)) == 0)
        let text = try String(contentsOf: target, encoding: .utf8)
        #expect(try generate(file(#"{"f":{"variables":{"2":{"value":1}}}}"#)) == 1)
        #expect(try String(contentsOf: target, encoding: .utf8) == text)
    }

    @Test("ends with 1 where it cannot write")
    func unwritable() throws {
        let path = file("{}")
        #expect(try GenerateCommand.run([path, "--output", path, "--name", "Settings"]) == 1)
    }

    @Test(
        "takes only a type's name that is free",
        arguments: ["", "a", "a b", "A-b", "2A", "_", "_A", "Any", "Type", "Int", "Features", "../A", "A.swift"])
    func names(name: String) throws {
        let path = file("{}")
        let error = try #require(throws: UsageError.self) {
            try GenerateCommand.run([path, "--output", directory.path, "--name", name])
        }
        #expect(error.reason.hasPrefix("--name: expected a type's name"))
        #expect(error.reason.hasSuffix("found '\(name)'"))
    }

    @Test(
        "needs its words",
        arguments: [
            ([], "generate needs one FILE"), (["a", "b"], "generate needs one FILE"),
            (["a", "--name", "A"], "generate needs --output DIR"),
            (["a", "--output", "x"], "generate needs --name NAME"),
            (
                ["a", "--output", "x", "--name", "A", "--from", "yaml"],
                "--from takes one of msactiveconfig, justtweak, rolloutmanager, growthbook, not 'yaml'"
            ),
            (["/nowhere/a", "--output", "x", "--name", "A"], "/nowhere/a cannot be read"),
        ])
    func words(words: [String], sentence: String) throws {
        #expect(try #require(throws: UsageError.self) { try GenerateCommand.run(words) }.reason == sentence)
    }
}
