import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// The files of users of a document with `{user}`.
@Suite("Files of users", .endsWhenItHangs)
struct UserFilesTests {
    private let directory = TemporaryDirectory()

    private func names(_ suffix: String, in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(suffix) }
    }

    private func name(_ user: Int) -> String {
        var hash = StableHash()
        hash.combine("u-\(user)".utf8)
        return hash.hex
    }

    /// Makes the files of a user as one who was the current one a number of days ago.
    private func use(_ user: Int, _ files: UserFiles, daysAgo: Int = 0) throws -> [FileLock] {
        let locks = files.use("u-\(user)").marks
        for suffix in [".cache", ".cache.previous", ".cache.lock"] {
            directory.write("", to: "\(name(user))\(suffix)")
        }
        let date = Date(timeIntervalSinceNow: Double(daysAgo) * -86_400)
        let path = directory.file("\(name(user)).user")
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        return locks
    }

    @Test("of the users beyond the limit those who were the current one longest ago lose all their files")
    func limit() async throws {
        let files = UserFiles([UserFiles.Directory(directory.path)], limit: 10)
        for user in 1...64 { _ = try use(user, files, daysAgo: user) }
        directory.write("", to: "0123456789abcdef.cache")
        _ = try use(65, files)
        #expect(files.removeSurplus().isEmpty)
        let left = Set((Array(1...9) + [65]).map(name))
        #expect(Set(names(".user", in: directory.path).map { String($0.dropLast(5)) }) == left)
        // What is no user's stays.
        #expect(names(".cache", in: directory.path).count == 11)
        #expect(names(".lock", in: directory.path).count == 10)
    }

    @Test("a user of any process keeps the files, however long ago that began")
    func inUse() async throws {
        let files = UserFiles([UserFiles.Directory(directory.path)], limit: 1)
        let other = UserFiles([UserFiles.Directory(directory.path)], limit: 1)
        let held = try use(1, files, daysAgo: 100) + other.use("u-1").marks
        try FileManager.default.setAttributes(
            [.modificationDate: Date.distantPast], ofItemAtPath: directory.file("\(name(1)).user"))
        for user in 2...65 { _ = try use(user, files, daysAgo: user == 65 ? 0 : user) }
        #expect(files.removeSurplus().isEmpty)
        #expect(names(".user", in: directory.path).contains("\(name(1)).user"))
        #expect(names(".user", in: directory.path).count == 2)
        withExtendedLifetime(held) {}
    }

    @Test("a directory that cannot be read is a warning")
    func unreadable() {
        let files = UserFiles([UserFiles.Directory(directory.file("missing"))])
        let warnings = files.removeSurplus().map(\.description)
        #expect(
            warnings.count == 1
                && warnings[0].contains("files of former users are not removed from \(directory.file("missing")): "))
    }

    @Test("a service keeps the files of 1,000 users, and removes those of the others in the background")
    func service() async throws {
        let site = UserSite()
        let (cache, state) = (site.service.cacheDirectory, site.service.stateDirectory)
        for path in [cache, state] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for user in 1...1010 {
            let names = ["\(cache)/\(name(user)).user", "\(state)/configuration-\(name(user)).user"]
            for path in names { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
        }
        let setup = try await site.start(as: "u-0")
        try await waitUntil("the files of others are gone") { names(".user", in: state).count == 1000 }
        #expect(names(".user", in: cache).count == 1000)
        #expect(names(".user", in: state).count == 1000)
        await setup.shutdown(timeout: .zero)
    }
}
