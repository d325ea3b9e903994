import Dispatch
import TrackerFeatures
import TrackerPlatform

/// An inotify instance that watches directories. It uses no thread: Dispatch waits for its descriptor.
final class Inotify: Sendable {
    // Not IN_MODIFY: a written file is fetched when it is closed, and lines of a log in the same directory must not
    // wake the process.
    private static let events = UInt32(
        IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    private let watches = Locked<Set<Int32>>([])
    private let descriptor: Int32
    // Dispatch's objects are thread-safe, but not marked as Sendable.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Opens an instance.
    /// - Parameter notify: Called after events, on a thread of Dispatch.
    /// - Throws: A ``FetchError`` if the system cannot create one.
    init(_ notify: @escaping @Sendable () -> Void) throws(FetchError) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw Self.failure("files") }
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {
            // The events are discarded: checking the file is more reliable, also after an overflow. Remaining events
            // call this again.
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                _ = read(descriptor, buffer.baseAddress, buffer.count)
            }
            notify()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Watches a directory, which may already be watched.
    /// - Parameter directory: The path of the directory.
    /// - Returns: The descriptor by which inotify names the directory.
    /// - Throws: A ``FetchError`` if the directory is missing or cannot be read, or if the system's limit is reached.
    func add(_ directory: String) throws(FetchError) -> Int32 {
        let watch = inotify_add_watch(descriptor, directory, Self.events)
        guard watch >= 0 else { throw Self.failure(directory) }
        return watch
    }

    /// Stops watching all other directories.
    func keep(_ current: Set<Int32>) {
        for watch in watches.exchange(current).subtracting(current) { inotify_rm_watch(descriptor, watch) }
    }

    private static func failure(_ what: String) -> FetchError {
        let reason =
            switch errno {
            case EMFILE: "the limit of open files, or fs.inotify.max_user_instances, is reached"
            case ENOSPC: "the limit fs.inotify.max_user_watches is reached"
            default: String(cString: strerror(errno))
            }
        return FetchError(.file, reason: "cannot watch \(what) for changes: \(reason)")
    }
}
