package import TrackerFeatures
import TrackerPlatform

extension FileSource {
    /// Watches the directory of the path, and the directory of its target if it is a link, with inotify.
    ///
    /// A hint follows each event that replaces the path's target or completes a write to it. An empty file is
    /// incomplete and causes no hint. The connection ends with an error if one of the directories cannot be watched or
    /// is on a file system that other machines write to.
    package func changes() -> AsyncThrowingStream<ChangeHint, any Error>? {
        guard isWatched else { return nil }
        return .connection { hint throws(FetchError) in
            let (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let inotify = try Inotify { wakeUp.yield() }
            try watch(inotify)
            var seen = contentTag
            hint(ChangeHint())
            for await _ in wakeUps {
                try watch(inotify)
                guard let tag = contentTag, tag != seen else { continue }
                seen = tag
                hint(ChangeHint())
            }
        }
    }

    /// Watches the current directories, the path's own first, so that no exchange of a link in it is missed.
    private func watch(_ inotify: Inotify) throws(FetchError) {
        var watches: Set<Int32> = []
        try watch(path, inotify, &watches)
        if let target = realpath(path, nil) {
            defer { free(target) }
            try watch(String(cString: target), inotify, &watches)
        }
        inotify.keep(watches)
    }

    private func watch(_ path: String, _ inotify: Inotify, _ watches: inout Set<Int32>) throws(FetchError) {
        let end = path.lastIndex(of: "/")
        let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if let network = fileSystem(directory)?.remoteName {
            throw FetchError(
                .file, reason: "\(directory) is on \(network), where changes by other machines are not seen")
        }
        watches.insert(try inotify.add(directory))
    }

    /// The tag of the file; nil if it is missing or empty.
    private var contentTag: String? {
        var information = stat()
        return stat(path, &information) == 0 && information.st_size > 0 ? Self.tag(of: information) : nil
    }
}
