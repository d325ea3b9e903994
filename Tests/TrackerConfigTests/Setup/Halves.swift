import TrackerCore

/// Draws one half, always.
struct Halves: RandomSource {
    func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        for index in bytes.indices { bytes[index] = index % 8 == 7 ? 0x80 : 0 }
    }
}
