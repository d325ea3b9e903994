import Foundation
import TrackerAccessors
import TrackerFeatureModel

/// The tool of the GenerateAccessors plugin: `tracker-accessors FILE DIRECTORY NAME` writes DIRECTORY/NAME.swift.
@main
enum AccessorTool {
    // The same limit as for files that `tracker-config` reads.
    private static let largestFile = 64 << 20

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 3, let path = words.first, let name = words.last else {
            fail("tracker-accessors: expected FILE DIRECTORY NAME")
        }
        if let fault = AccessorFile.fault(ofStructName: name) { fail("\(path): error: \(fault)") }
        let directory = URL(fileURLWithPath: words.dropFirst().first ?? "", isDirectory: true)
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let file = Array(try handle.read(upToCount: largestFile + 1) ?? Data())
            guard file.count <= largestFile else { fail("\(path): error: larger than \(largestFile) bytes") }
            let features = try FeaturesFile(file)
            let accessors = AccessorFile(features.features, of: file)
            for warning in features.warnings { report(path, "warning", warning) }
            for fault in accessors.faults { report(path, "error", fault) }
            let source = URL(fileURLWithPath: path).lastPathComponent
            guard let text = accessors.text(name: name, source: source) else { exit(1) }
            _ = try AccessorFile.write(text, to: directory.appendingPathComponent("\(name).swift"))
        } catch let error as ConfigurationError {
            report(path, "error", error)
            exit(1)
        } catch {
            fail("\(path): error: \(error.localizedDescription)")
        }
    }

    /// Prints a line in the format of a compiler, so that an IDE shows it at its place.
    private static func report(_ file: String, _ kind: String, _ error: ConfigurationError) {
        let position = error.position.map { ":\($0.line):\($0.column)" } ?? ""
        printError("\(file)\(position): \(kind): \((error.place.isEmpty ? "" : "\(error.place): ") + error.reason)")
    }

    private static func fail(_ line: String) -> Never {
        printError(line)
        exit(1)
    }

    private static func printError(_ line: String) {
        FileHandle.standardError.write(Data("\(line.printable)\n".utf8))
    }
}
