import Foundation
import TrackerConfig

/// An engine of regular expressions in a process of its own, which answers all cases at once.
struct PatternOracle {
    /// A pattern and the texts to search.
    struct Case: Encodable {
        let pattern: String
        let ignoresCase: Bool
        let texts: [String]
    }

    /// JavaScript's `RegExp`. With its flag `u`, a character beyond 16 bits is one, as in Swift.
    static let node = PatternOracle(
        "node", ["-e"],
        """
        for (const line of require("fs").readFileSync(0, "utf8").split("\\n").filter(line => line)) {
          const { pattern, ignoresCase, texts } = JSON.parse(line)
          const expression = new RegExp(pattern, ignoresCase ? "iu" : "u")
          console.log(texts.map(text => expression.test(text) ? "1" : "0").join(""))
        }
        """)

    /// Python's `re`, whose classes are those of ASCII as in JavaScript.
    static let python = PatternOracle(
        "python3", ["-c"],
        """
        import json, re, sys
        for line in sys.stdin:
            case = json.loads(line)
            expression = re.compile(case["pattern"], re.ASCII | (re.IGNORECASE if case["ignoresCase"] else 0))
            print("".join("1" if expression.search(text) else "0" for text in case["texts"]))
        """)

    private let arguments: [String]

    private init(_ program: String, _ options: [String], _ script: String) {
        arguments = [program] + options + [script]
    }

    /// Whether the engine is installed.
    var isThere: Bool {
        let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return paths.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(arguments[0])") }
    }

    /// Whether each pattern is found in each of its texts.
    func answers(_ cases: [Case]) throws -> [[Bool]] {
        let file = FileManager.default.temporaryDirectory.appending(path: "patterns-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let encoder = JSONEncoder()
        try Data(cases.map { try encoder.encode($0) }.joined(separator: Data("\n".utf8))).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map { $0.map { $0 == "1" } }
    }
}
