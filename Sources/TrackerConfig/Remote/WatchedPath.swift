import Glibc

/// The directories, links and the file that a path leads through, each watched, so that a change of any of them is seen: Kubernetes
/// swaps a link (`document.json -> ..data/document.json`, `..data -> ..2026_11_26/`), and a directory may be moved and made again.
struct WatchedPath {
    /// When the document should be fetched after an event.
    enum Effect {
        /// It is whole.
        case now
        /// It is missing, or being written.
        case onceQuiet
    }

    /// Why something is watched.
    private struct Watch {
        /// The names in a directory that matter.
        var names: Set<String> = []
        var isFile = false
    }

    // As many as the kernel follows.
    private static let maxLinks = 40

    // No events of its entries, unless a name among them matters.
    private static let ofDirectory = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    // Not IN_MODIFY: a log beside the document would wake the process for each line.
    private static let ofNames =
        ofDirectory | UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE)
    // The file itself too, because it may be written under another name, or be mounted alone.
    private static let ofFile = UInt32(IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB)

    private let path: String
    private let inotify: Inotify
    private let fileSystem: @Sendable (String) -> FileSystem?
    private var watches: [Int32: Watch] = [:]

    /// Watches a path.
    /// - Parameters:
    ///   - path: The path of a file, which need not exist.
    ///   - inotify: The instance of inotify.
    ///   - fileSystem: Looks the file system of a directory up.
    /// - Throws: A ``FetchError`` if the system's limit is reached, or if other machines may change the file unseen.
    init(
        _ path: String, _ inotify: Inotify, fileSystem: @escaping @Sendable (String) -> FileSystem?
    ) throws(FetchError) {
        (self.path, self.inotify, self.fileSystem) = (path, inotify, fileSystem)
        try follow()
    }

    /// Takes an event.
    /// - Parameter event: The event.
    /// - Returns: When to fetch; nil if it does not concern the file.
    /// - Throws: A ``FetchError`` if what the path leads to now cannot be watched.
    mutating func take(_ event: Inotify.Event) throws(FetchError) -> Effect? {
        func has(_ bits: Int32) -> Bool { event.mask & UInt32(bits) != 0 }
        if has(IN_Q_OVERFLOW) {
            try follow()
            return .onceQuiet
        }
        guard let watch = watches[event.watch] else { return nil }
        if event.name.isEmpty {
            if watch.isFile, has(IN_CLOSE_WRITE) { return .now }
            // Then the kernel watches it no more.
            if has(IN_IGNORED) { watches[event.watch] = nil }
            if has(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) { try follow() }
            return .onceQuiet
        }
        guard watch.names.contains(event.name) else { return nil }
        if has(IN_CLOSE_WRITE) { return .now }
        try follow()
        return has(IN_MOVED_TO) ? .now : .onceQuiet
    }

    /// Follows the path from its beginning. Each directory is watched before a name in it is looked at, so that no change falls
    /// between the two.
    private mutating func follow() throws(FetchError) {
        let former = watches.keys
        watches = [:]
        defer { for watch in former where watches[watch] == nil { inotify.remove(watch) } }
        var directory = path.hasPrefix("/") ? "/" : "."
        var rest = Self.names(of: path)
        var links = 0
        try add(directory, Self.ofDirectory) { _ in }
        while let name = rest.popLast() {
            let place = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
            if !rest.isEmpty, Self.kind(of: place) == S_IFDIR,
                try add(place, Self.ofDirectory | UInt32(IN_DONT_FOLLOW), { _ in }) != .missing
            {
                directory = place
                continue
            }
            if let network = fileSystem(directory)?.remoteName {
                throw FetchError(
                    .file,
                    reason:
                        "\(directory) is on \(network), where changes by other machines are not seen"
                )
            }
            switch try add(directory, Self.ofNames, { $0.names.insert(name) }) {
            case .watched: break
            case .unreadable:
                throw FetchError(
                    .file, reason: "cannot watch \(directory) for changes: \(String(cString: strerror(EACCES)))")
            // It was moved away meanwhile, which an event says.
            case .missing: return
            }
            switch Self.kind(of: place) {
            case S_IFLNK:
                links += 1
                guard links <= Self.maxLinks, let target = Self.target(of: place) else { return }
                if target.hasPrefix("/") { directory = "/" }
                rest += Self.names(of: target)
            // It was made meanwhile.
            case S_IFDIR where !rest.isEmpty: rest.append(name)
            default:
                if rest.isEmpty { try add(place, Self.ofFile) { $0.isFile = true } }
                return
            }
        }
    }

    @discardableResult
    private mutating func add(
        _ place: String, _ mask: UInt32, _ note: (inout Watch) -> Void
    ) throws(FetchError) -> Inotify.Added {
        let added = try inotify.add(place, mask)
        if case .watched(let watch) = added { note(&watches[watch, default: Watch()]) }
        return added
    }

    /// The names of a path, the first one last.
    private static func names(of path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    private static func kind(of path: String) -> mode_t? {
        var information = stat()
        return lstat(path, &information) == 0 ? information.st_mode & S_IFMT : nil
    }

    private static func target(of link: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(link, start, buffer.count)
            return count < 0 ? nil : String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }
}
