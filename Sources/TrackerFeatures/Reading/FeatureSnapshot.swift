/// All features at one moment. Values from one snapshot are consistent, even if a document is applied or a schedule begins
/// meanwhile.
///
/// ```swift
/// let snapshot = setup.features.snapshot
/// let host = snapshot.value("search", variable: "host", default: "localhost")
/// let port = snapshot.value("search", variable: "port", default: 9200)
/// ```
public struct FeatureSnapshot: FeatureReading {
    let layers: FeatureLayers
    let reader: FeatureReader
    /// The moment, if anything is scheduled.
    private let time: Instant?

    init(layers: FeatureLayers, reader: FeatureReader) {
        (self.layers, self.reader) = (layers, reader)
        time = layers.usesTime ? reader.experiments.clock.now : nil
    }

    /// The snapshot itself.
    public var snapshot: FeatureSnapshot { self }

    /// A read of this snapshot.
    /// - Parameter context: The context; nil takes the one that is bound to the task.
    /// - Returns: The read.
    func request(for context: FeatureContext?) -> FeatureReader.Request {
        FeatureReader.Request(layers: layers, context: context.orCurrent, time: time)
    }
}
