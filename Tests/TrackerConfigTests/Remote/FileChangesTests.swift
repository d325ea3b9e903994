import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// Changes of a file, as fast as possible, of which the last state of each burst must be seen.
@Suite("Changes of a file", .endsWhenItHangs)
struct FileChangesTests {
    /// The document is `x/a`, which is a link to `..data/a`, or a file of its own.
    private let directory = TemporaryDirectory()

    private func make(_ name: String) {
        _ = mkdir(directory.file(name), 0o700)
    }

    private func change(_ kind: Int, _ number: Int) {
        let text = "\(number)"
        make("x")
        switch kind {
        case 0:
            directory.write(text, to: "new")
            rename(directory.file("new"), directory.file("x/a"))
        case 1:
            // In place, in pieces.
            guard let file = fopen(directory.file("x/a"), "w") else { return }
            for byte in text.utf8 {
                fputc(Int32(byte), file)
                fflush(file)
            }
            fclose(file)
        case 2:
            unlink(directory.file("x/a"))
            try? Data(text.utf8).write(to: URL(filePath: directory.file("x/a")), options: [])
        case 3:
            // As Kubernetes does it.
            make("x/..\(number)")
            directory.write(text, to: "x/..\(number)/a")
            symlink("..\(number)", directory.file("x/..new"))
            rename(directory.file("x/..new"), directory.file("x/..data"))
            symlink("..data/a", directory.file("x/..link"))
            rename(directory.file("x/..link"), directory.file("x/a"))
        case 4:
            rename(directory.file("x"), directory.file("old \(number)"))
            make("x")
            directory.write(text, to: "x/a")
        case 5:
            // Made elsewhere, and moved to its place whole.
            make("whole \(number)")
            directory.write(text, to: "whole \(number)/a")
            rename(directory.file("x"), directory.file("old \(number)"))
            rename(directory.file("whole \(number)"), directory.file("x"))
        case 6:
            unlink(directory.file("x/a"))
        default:
            directory.write(text, to: "linked \(number)")
            unlink(directory.file("x/a"))
            link(directory.file("linked \(number)"), directory.file("x/a"))
        }
    }

    @Test("the last state of each burst of changes is seen")
    func changes() async throws {
        let random = SeededRandom(seed: Search.seed(1))
        let path = directory.file("x/a")
        let listener = FileListener(FileSource(path: path))
        var number = 0
        while number < Search.count(60) {
            for _ in 0...Int(random.next() % 8) {
                number += 1
                change(Int(random.next() % 8), number)
            }
            let text = try? String(contentsOfFile: path, encoding: .utf8)
            // Polls find that there is none.
            if text != nil { try await listener.wait { $0.text == text } }
        }
        await listener.close()
    }
}
