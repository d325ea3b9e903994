import FoundationEssentials
import TrackerCore
import TrackerPlatform

/// The state directory of the simulated service, on a file system in memory. A kill leaves the files as they are.
final class Disk {
    /// What a slot has: the numbers of the events that wait in its files, and how many records there are damaged.
    struct Contents {
        var all: Set<Int> = []
        var damaged = 0
    }

    /// A file as it was, whatever its name is now.
    struct Copy {
        let number: ino_t
        let bytes: [UInt8]
    }

    let path: String
    /// Files of 32 KiB, so that events find no room on a full disk at times.
    static let format = LogFormat(segmentSize: 8 << 10, segmentCount: 4)
    /// What is safe from a power failure, by the number of the file, and the names that are.
    private var synced: [ino_t: [UInt8]] = [:]
    private var syncedNames: [String: ino_t] = [:]

    init() throws {
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        // `mkdtemp` puts a name that is free in place of the last six characters.
        var template = Array("\(base)/tracker-simulation-XXXXXX".utf8CString)
        guard let directory = mkdtemp(&template) else { throw FileError(.createDirectory, path: base) }
        path = String(cString: directory)
    }

    deinit {
        // What is left in a directory for temporary files is no failure of the simulation.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The names of the files of the log of a slot, or of all.
    func names(of slot: Int? = nil) -> [String] {
        let prefix = slot.map { "log-\($0)." } ?? "log-"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix(prefix) && Self.number(in: $0) != nil }
            .sorted()
    }

    /// The slots that have files.
    var slots: [Int] { Set(names().compactMap(Self.slot)).sorted() }

    private static func number(in name: String) -> UInt32? { UInt32(name.split(separator: ".").last ?? "", radix: 16) }

    private static func slot(of name: String) -> Int? { Int(name.dropFirst(4).prefix { $0 != "." }) }

    /// Removes the files of a slot, which a process may have open, and its lock.
    func remove(_ slot: Int) {
        for name in names(of: slot) + ["log-\(slot).lock"] {
            unlink("\(path)/\(name)")
            // Who removes them does so for good.
            syncedNames[name] = nil
        }
    }

    // MARK: Contents

    /// Reads what a slot has.
    func contents(of slot: Int) -> Contents {
        var contents = Contents()
        for name in names(of: slot) { Self.add(read(name), to: &contents) }
        return contents
    }

    private static func add(_ bytes: [UInt8], to contents: inout Contents) {
        for (format, segment) in segments(of: bytes) {
            segment.withUnsafeBytes { segment in
                let found = SegmentReader(format: format, bytes: segment).contents()
                contents.damaged += found.damagedCount
                for (record, _) in found.waiting {
                    if let id = Ledger.id(of: Array(record.payload)) { contents.all.insert(id) }
                }
            }
        }
    }

    private static func segments(of bytes: [UInt8]) -> [(LogFormat, ArraySlice<UInt8>)] {
        var format = bytes.count == Self.format.size ? Self.format : LogFormat(wholeFile: bytes.count)
        if let header = header(of: bytes) { format = header.format }
        return (0..<format.segmentCount).map { index in
            let start = min(format.start(of: index), bytes.count)
            return (format, bytes[start..<min(bytes.count, start + format.segmentSize)])
        }
    }

    private static func header(of bytes: [UInt8]) -> LogHeader? {
        let reading = bytes.withUnsafeBytes {
            LogHeader.read(UnsafeRawBufferPointer(rebasing: $0.prefix(LogFormat.headerSize)))
        }
        return if case .header(let header) = reading { header } else { nil }
    }

    /// The numbers in the names of the files from which a file takes records.
    private static func numbersTaken(by bytes: [UInt8]) -> Set<UInt32> {
        guard let header = header(of: bytes), header.takenCount > 0 else { return [] }
        let list = bytes.dropFirst(header.format.size).prefix(header.takenSize)
        return Set(list.withUnsafeBytes { header.taken(in: $0) }.map(\.file))
    }

    private static func takesFromOthers(_ bytes: [UInt8]) -> Bool {
        header(of: bytes).map { $0.takenCount > 0 } ?? false
    }

    /// Copies the files of slots, and puts them back.
    func image(of slots: [Int]) -> [String: Copy] {
        Dictionary(
            uniqueKeysWithValues: slots.flatMap { names(of: $0) }.map {
                ($0, Copy(number: number(of: $0), bytes: read($0)))
            })
    }

    func restore(_ image: [String: Copy]) {
        for (name, copy) in image { write(copy.bytes, to: name) }
    }

    /// Forgets what files take from others.
    func forgetTaken() {
        for name in names() {
            var bytes = read(name)
            guard let header = Self.header(of: bytes), header.takenCount > 0 else { continue }
            bytes.replaceSubrange(0..<LogFormat.headerSize, with: LogHeader(format: header.format).bytes)
            write(bytes, to: name)
        }
    }

    // MARK: Power

    /// Notes that all records of a slot are safe from a power failure, and all names.
    func noteSync(_ slot: Int) {
        for name in names(of: slot) { note(name) }
        syncedNames = Dictionary(uniqueKeysWithValues: names().map { ($0, number(of: $0)) })
    }

    /// Notes what is safe since files were copied: those with one segment are synced before they have their name, the names with
    /// them, and then the files in which records were marked as taken. Before the list of a file goes the names are synced too, and
    /// after it the file, before it is renamed into another slot.
    /// - Parameter sources: The files from which a process took records, as they were before.
    func noteCopies(from sources: [String: Copy] = [:]) {
        let now = Dictionary(uniqueKeysWithValues: names().map { (number(of: $0), $0) })
        for copy in sources.values { if let name = now[copy.number], read(name) != copy.bytes { note(name) } }
        let fresh = now.filter { number, name in synced[number] == nil && Self.segments(of: read(name)).count == 1 }
        let isListGone = sources.values.contains { copy in
            Self.takesFromOthers(copy.bytes) && !(now[copy.number].map { Self.takesFromOthers(read($0)) } ?? false)
        }
        guard !fresh.isEmpty || isListGone else { return }
        for name in fresh.values {
            note(name)
            // The sources of its list are synced before it has its name.
            let taken = Self.numbersTaken(by: read(name))
            for source in now.values where Self.slot(of: source) == Self.slot(of: name) {
                if let number = Self.number(in: source), taken.contains(number) { note(source) }
            }
        }
        syncedNames = Dictionary(uniqueKeysWithValues: now.map { ($1, $0) })
    }

    private func note(_ name: String) { synced[number(of: name)] = read(name) }

    /// Loses what was not synced: pages in any order, and the changes of names since the last sync of the directory.
    /// - Returns: Whether anything was lost.
    func losePower(_ dice: Dice) -> Bool {
        var isTorn = false
        let page = 4096
        var files: [ino_t: [UInt8]] = [:]
        var now: [String: ino_t] = [:]
        for name in names() {
            let number = number(of: name)
            now[name] = number
            var bytes = read(name)
            let old = synced[number] ?? []
            for start in stride(from: 0, to: bytes.count, by: page) {
                let range = start..<min(start + page, bytes.count)
                let former = range.upperBound <= old.count ? old[range] : Array(repeating: 0, count: range.count)[...]
                guard bytes[range] != former, dice.chance(percent: 30) else { continue }
                bytes.replaceSubrange(range, with: former)
                isTorn = true
            }
            files[number] = bytes
        }
        let names = dice.chance(percent: 50) ? now : syncedNames
        if names != now { isTorn = true }
        for name in now.keys { unlink("\(path)/\(name)") }
        // Those that were removed since are back.
        files.merge(synced) { now, _ in now }
        (synced, syncedNames) = ([:], [:])
        for (name, number) in names.sorted(by: { $0.key < $1.key }) {
            write(files[number] ?? [], to: name)
            note(name)
            syncedNames[name] = self.number(of: name)
        }
        return isTorn
    }

    // MARK: Damage

    /// Damages the length of an event's record.
    /// - Parameters:
    ///   - id: The event's number.
    ///   - slot: The slot.
    ///   - dice: The random numbers.
    ///   - isEnd: Whether all that comes behind the record is given up.
    func damageLength(of id: Int, in slot: Int, _ dice: Dice, isEnd: Bool) {
        for name in names(of: slot) {
            var bytes = read(name)
            // In other files it is done.
            var contents = Contents()
            Self.add(bytes, to: &contents)
            guard contents.all.contains(id), let place = Self.places(of: Ledger.key(of: id), in: bytes).first else {
                continue
            }
            let field = place - 4
            let length = bytes[field..<place].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let other = dice.pick([0, length &+ 8, length &+ UInt32(dice.within(1...4_000)), .max])
            withUnsafeBytes(of: other == length ? 1 : other) { bytes.replaceSubrange(field..<place, with: $0) }
            if isEnd {
                let format = Self.segments(of: bytes)[0].0
                let (segment, offset) = format.position(of: place - EventRecord.headerSize)
                let end = SegmentEnd(offset: offset, count: 0).word
                for copy in format.offsets(of: .published) {
                    let start = format.start(of: segment) + copy
                    withUnsafeBytes(of: end) { bytes.replaceSubrange(start..<start + 8, with: $0) }
                }
            }
            return write(bytes, to: name)
        }
    }

    /// Damages a page of a file of a slot.
    /// - Returns: The events of which something was on the page, or may have been; nil if the slot has no file.
    func damagePage(in slot: Int, _ dice: Dice, isEnd: Bool) -> Set<Int>? {
        guard let name = dice.pick(names(of: slot).map(Optional.some) + [nil]) else { return nil }
        var bytes = read(name)
        let first = dice.below(bytes.count / 4096) * 4096
        let range = first..<(isEnd ? bytes.count : first + 4096)
        let places = Self.places(of: Ledger.keyPrefix, in: bytes)
        let touched = places.filter {
            $0 - EventRecord.headerSize < range.upperBound && Self.end(of: $0, in: bytes) > first
        }
        let ids = touched.compactMap { Ledger.id(of: Array(bytes[$0..<min($0 + 20, bytes.count)])) }
        switch dice.below(3) {
        case 0: for place in range { bytes[place] = 0 }
        case 1: for place in range { bytes[place] = UInt8(dice.below(256)) }
        default: for _ in 0..<dice.within(1...8) { bytes[first + dice.below(4096)] = UInt8(dice.below(256)) }
        }
        if isEnd { for place in range { bytes[place] = 0 } }
        write(bytes, to: name)
        return Set(ids)
    }

    private static func end(of place: Int, in bytes: [UInt8]) -> Int {
        place + Int(bytes[place - 4..<place].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    /// Where a text begins.
    private static func places(of text: [UInt8], in bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            var places: [Int] = []
            // Records begin at multiples of eight bytes.
            for place in stride(from: 0, to: max(0, bytes.count - text.count), by: 8) where bytes[place] == text[0] {
                if bytes[place..<place + text.count].elementsEqual(text) { places.append(place) }
            }
            return places
        }
    }

    // MARK: Files

    private func number(of name: String) -> ino_t {
        var information = stat()
        return stat("\(path)/\(name)", &information) == 0 ? information.st_ino : 0
    }

    private func read(_ name: String) -> [UInt8] {
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }

    /// Writes over a file that is there, so that it is the same one, or makes it.
    private func write(_ bytes: [UInt8], to name: String) {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0, "\(name) cannot be written")
        defer { close(descriptor) }
        precondition(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, "\(name) cannot be written")
        precondition(ftruncate(descriptor, off_t(bytes.count)) == 0, "\(name) cannot be cut")
    }
}
