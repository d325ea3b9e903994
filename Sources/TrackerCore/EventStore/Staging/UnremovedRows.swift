/// Rows whose events were sent or dropped, and that could not be removed because the disk is full.
///
/// They are noted in the slot's staging file, which needs no room, so that another process does not send them again. The rows'
/// checksum is noted with their ids: ids are used again, and a note that is older than its rows must remove none.
package struct UnremovedRows: Sendable, Equatable {
    /// Rows that follow each other.
    package struct Run: Sendable, Equatable {
        package var ids: ClosedRange<Int64>
        /// The checksums of all of the rows, put together.
        package var checksum: Int64
    }

    /// In the order of their ids; none touches the next.
    package private(set) var runs: [Run] = []

    package var isEmpty: Bool { runs.isEmpty }

    /// Adds rows that are not among them yet.
    mutating func insert(_ run: Run) {
        let index = index(after: run.ids.lowerBound)
        runs.insert(run, at: index)
        if index + 1 < runs.count { join(index) }
        if index > 0 { join(index - 1) }
    }

    private mutating func join(_ index: Int) {
        let (run, next) = (runs[index], runs[index + 1])
        guard run.ids.upperBound + 1 == next.ids.lowerBound else { return }
        runs[index] = Run(
            ids: run.ids.lowerBound...next.ids.upperBound, checksum: run.checksum ^ next.checksum)
        runs.remove(at: index + 1)
    }

    /// Forgets the rows of a namespace.
    mutating func remove(within ids: ClosedRange<Int64>) {
        runs.removeSubrange(runs(within: ids).indices)
    }

    /// The runs that have some of the ids.
    func runs(within ids: ClosedRange<Int64>) -> ArraySlice<Run> {
        var start = index(after: ids.lowerBound)
        if start > 0, runs[start - 1].ids.upperBound >= ids.lowerBound { start -= 1 }
        return runs[start..<Swift.max(start, index(after: ids.upperBound))]
    }

    /// The run that has an id; nil if none does.
    package func run(at id: Int64) -> Run? { runs(within: id...id).first }

    /// Where the first run is that begins after an id.
    private func index(after id: Int64) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].ids.lowerBound > id { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// The notes in a staging file: two places in its first 4096 bytes, which are written in turns, so that one is whole whenever
/// a process dies. What has no room is left out.
extension UnremovedRows {
    /// A number that grows with each note, the number of runs, and a checksum come before the runs.
    private static let headSize = 24
    private static let runSize = 24
    private static let noteSize = 2016
    private static let firstNote = 64
    package static let mostRuns = (noteSize - headSize) / runSize

    /// Reads the last note.
    /// - Parameter bytes: A staging file, or as much of it as there is.
    /// - Returns: The rows, and the number of the note; nothing and 0 without a note.
    package static func noted(in bytes: UnsafeRawBufferPointer) -> (rows: UnremovedRows, number: Int64) {
        var last = (rows: UnremovedRows(), number: Int64(0))
        for place in 0...1 {
            let start = firstNote + place * noteSize
            guard start + noteSize <= bytes.count else { break }
            let note = UnsafeRawBufferPointer(rebasing: bytes[start..<start + noteSize])
            let (number, count) = (word(note, 0), word(note, 8))
            guard number > last.number, (0...Int64(mostRuns)).contains(count),
                word(note, 16) == checksum(of: note, number, Int(count))
            else { continue }
            var rows = UnremovedRows()
            for index in 0..<Int(count) {
                let run = headSize + index * runSize
                let (first, last) = (word(note, run), word(note, run + 8))
                guard first >= 0, first <= last, last < EventStorage.firstMemoryID else { continue }
                rows.runs.append(Run(ids: first...last, checksum: word(note, run + 16)))
            }
            last = (rows, number)
        }
        return last
    }

    /// Writes a note.
    /// - Parameters:
    ///   - header: The first 4096 bytes of a staging file.
    ///   - number: The number of the note before it, and 1.
    func note(in header: UnsafeMutableRawBufferPointer, number: Int64) {
        let start = Self.firstNote + Int(number % 2) * Self.noteSize
        let note = UnsafeMutableRawBufferPointer(rebasing: header[start..<start + Self.noteSize])
        func write(_ value: Int64, _ offset: Int) {
            note.storeBytes(of: value, toByteOffset: offset, as: Int64.self)
        }
        let noted = runs.prefix(Self.mostRuns)
        for (index, run) in noted.enumerated() {
            let place = Self.headSize + index * Self.runSize
            write(run.ids.lowerBound, place)
            write(run.ids.upperBound, place + 8)
            write(run.checksum, place + 16)
        }
        write(number, 0)
        write(Int64(noted.count), 8)
        write(Self.checksum(of: UnsafeRawBufferPointer(note), number, noted.count), 16)
    }

    private static func word(_ note: UnsafeRawBufferPointer, _ offset: Int) -> Int64 {
        note.loadUnaligned(fromByteOffset: offset, as: Int64.self)
    }

    private static func checksum(of note: UnsafeRawBufferPointer, _ number: Int64, _ count: Int) -> Int64 {
        let runs = UnsafeRawBufferPointer(rebasing: note[headSize..<headSize + count * runSize])
        return RowChecksum.of(id: number, time: Int64(count), isAnonymous: false, payload: runs)
    }
}
