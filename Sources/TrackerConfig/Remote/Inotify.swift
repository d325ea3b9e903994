import Dispatch
import Glibc

/// An instance of inotify, which says what happens to files and directories. It has no thread: Dispatch waits for its descriptor.
final class Inotify: Sendable {
    /// What happened.
    struct Event: Sendable {
        /// The number of the watched path; -1 for an overflow.
        let watch: Int32
        /// The bits of `IN_MODIFY` and others.
        let mask: UInt32
        /// The name of the file in a watched directory; empty if it happened to what is watched itself.
        let name: String
    }

    // More than a read's bytes hold.
    private static let maxWaiting = 1024
    private static let overflow = Event(watch: -1, mask: UInt32(IN_Q_OVERFLOW), name: "")

    private let waiting: Locked<[Event]>
    private let descriptor: Int32
    // Dispatch's objects may be used from any thread; the overlay does not say so.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Opens an instance.
    /// - Parameter notify: Called when there are events to take, on a thread of Dispatch.
    /// - Throws: A ``FetchError`` if the system has none.
    init(_ notify: @escaping @Sendable () -> Void) throws(FetchError) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw Self.failure("files") }
        self.descriptor = descriptor
        let waiting = Locked<[Event]>([])
        self.waiting = waiting
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {
            let read = Self.read(descriptor)
            waiting.withLock { waiting in
                waiting += read
                if waiting.count > Self.maxWaiting { waiting = [Self.overflow] }
            }
            notify()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit {
        source.cancel()
    }

    /// Takes the events that have come, in their order.
    func take() -> [Event] { waiting.exchange([]) }

    /// What ``add(_:_:)`` found.
    enum Added: Equatable {
        case watched(Int32)
        /// It is there, and must not be read.
        case unreadable
        /// There is nothing of this kind.
        case missing
    }

    /// Watches a file or a directory. If it is watched already, what is watched for is added.
    /// - Parameters:
    ///   - path: Its path.
    ///   - mask: What to watch for.
    /// - Returns: Its number, or why there is none.
    /// - Throws: A ``FetchError`` if the system's limit is reached.
    func add(_ path: String, _ mask: UInt32) throws(FetchError) -> Added {
        let watch = inotify_add_watch(descriptor, path, mask | UInt32(IN_MASK_ADD))
        if watch >= 0 { return .watched(watch) }
        switch errno {
        case EACCES: return .unreadable
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: return .missing
        default: throw Self.failure(path)
        }
    }

    /// Watches for nothing more.
    func remove(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
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

    private static func read(_ descriptor: Int32) -> [Event] {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            var events: [Event] = []
            var place = 0
            while place + MemoryLayout<inotify_event>.size <= count {
                let event = buffer.load(fromByteOffset: place, as: inotify_event.self)
                place += MemoryLayout<inotify_event>.size
                // Padded with bytes of 0.
                let name = buffer[place..<min(place + Int(event.len), count)].prefix { $0 != 0 }
                place += Int(event.len)
                events.append(Event(watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
            }
            return events
        }
    }
}
