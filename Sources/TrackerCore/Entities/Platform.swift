import FoundationEssentials

/// The operating system, `iglu:com.snowplowanalytics.snowplow/desktop_context/jsonschema/1-0-0`.
enum Platform {
    /// The system that this process runs on.
    static let entity: Entity = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return Entity(
            schema: "iglu:com.snowplowanalytics.snowplow/desktop_context/jsonschema/1-0-0",
            data: [
                "osType": "Linux",
                "osVersion": "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
                "osIs64Bit": .bool(Int.bitWidth == 64),
                "deviceProcessorCount": .int(ProcessInfo.processInfo.processorCount),
            ])
    }()
}
