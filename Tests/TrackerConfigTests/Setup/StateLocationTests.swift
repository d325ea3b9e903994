import Foundation
import Testing
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

@Suite("Where a service keeps its state")
struct StateLocationTests {
    private let directory = TemporaryDirectory()

    private var environment: [String: String] { ["XDG_STATE_HOME": directory.path] }

    @Test("below the standard directory each service has one of its own, by its name")
    func hasOwnDirectory() throws {
        var options = SetupOptions()
        options.serviceName = "orders/eu"
        let location = try StateLocation(options, environment: environment)
        #expect(location.path == "\(directory.path)/tracker-config/orders%2Feu")
        #expect(location.formerPath == "\(directory.path)/tracker-config")
        options.serviceName = nil
        let executable = try #require(CommandLine.arguments.first?.split(separator: "/").last)
        #expect(
            try StateLocation(options, environment: environment).path?.hasSuffix(
                "/\(ServiceName.component(String(executable)))") == true)
    }

    @Test("a directory that the service names is its own, as it is")
    func takesNamedDirectory() throws {
        var options = SetupOptions()
        options.stateDirectory = "/var/lib/orders"
        let location = try StateLocation(options, environment: environment)
        #expect(location.path == "/var/lib/orders")
        #expect(location.formerPath == nil)
    }

    @Test("an empty name is an error with its place")
    func refusesEmptyNames() {
        var options = SetupOptions()
        options.serviceName = ""
        let error = #expect(throws: ConfigurationError.self) { try StateLocation(options, environment: environment) }
        #expect(error?.place == "options.serviceName")
    }

    @Test("what an earlier release kept for all services is copied once for each, and stays for the others")
    func migrates() throws {
        let former = "\(directory.path)/tracker-config"
        try FileManager.default.createDirectory(atPath: former, withIntermediateDirectories: true)
        try Data("id-1".utf8).write(to: URL(filePath: "\(former)/instance-id"))
        try Data("{}".utf8).write(to: URL(filePath: "\(former)/configuration-00.json"))
        try Data("x".utf8).write(to: URL(filePath: "\(former)/configuration-00.watch-0"))
        do {
            try SQLiteDatabase(path: "\(former)/assignments-00.sqlite")
                .execute("PRAGMA journal_mode = WAL; CREATE TABLE t (n); INSERT INTO t VALUES (7)")
        }
        for service in ["a", "b"] {
            var options = SetupOptions()
            options.serviceName = service
            let location = try StateLocation(options, environment: environment)
            #expect(location.migrate() == [])
            let path = try #require(location.path)
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            #expect(names == ["assignments-00.sqlite", "configuration-00.json", "instance-id"])
            #expect(try String(contentsOfFile: "\(path)/instance-id", encoding: .utf8) == "id-1")
            do {
                let copy = try SQLiteDatabase(path: "\(path)/assignments-00.sqlite")
                #expect(try copy.prepare("SELECT n FROM t").number() == 7)
            }
            try Data("id-2".utf8).write(to: URL(filePath: "\(path)/instance-id"))
            _ = location.migrate()
            #expect(try String(contentsOfFile: "\(path)/instance-id", encoding: .utf8) == "id-2")
        }
        #expect(FileManager.default.fileExists(atPath: "\(former)/instance-id"))
    }
}
