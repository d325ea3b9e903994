public import Tracing
public import TrackerConfig

/// The trace of a task, in the form of W3C Trace Context.
///
/// ```swift
/// setup.tracker("shop")?.add(.traceContext)                          // each event has the entity of its trace
/// let context = TrackingContext(traceID: TraceContext.current?.traceID)  // samples all events of a trace together
/// ```
public struct TraceContext: Sendable, Hashable {
    /// The schema of ``entity``; it is in the package's `Schemas/`.
    public static let schema = "iglu:io.tracker-config/trace_context/jsonschema/1-0-0"

    /// The id of the trace: 32 hexadecimal digits in lower case, not all 0.
    public let traceID: String

    /// The id of the span: 16 hexadecimal digits in lower case, not all 0.
    public let spanID: String

    /// Whether the trace may be recorded, as its caller has flagged it.
    public let isSampled: Bool

    /// Creates a context from the header `traceparent`; nil if it is not one of W3C Trace Context.
    /// - Parameter traceParent: The header's value, such as `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
    public init?(traceParent: String) {
        let parts = traceParent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Self.isHexadecimal(parts[0], 2), parts[0] != "ff",
            parts[0] != "00" || parts.count == 4, Self.isID(parts[1], 32), Self.isID(parts[2], 16),
            Self.isHexadecimal(parts[3], 2), let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        (traceID, spanID, isSampled) = (String(parts[1]), String(parts[2]), flags & 1 == 1)
    }

    /// Creates the trace context of a service context, using the `traceparent` of the tracer that the service has
    /// bootstrapped; nil if the tracer writes none.
    /// - Parameter context: The service context, for example that of a span.
    public init?(_ context: ServiceContext) {
        var headers: [String: String] = [:]
        InstrumentationSystem.instrument.inject(context, into: &headers, using: HeaderInjector())
        guard let traceParent = headers["traceparent"] else { return nil }
        self.init(traceParent: traceParent)
    }

    /// The trace context of the task; nil if there is no span.
    public static var current: TraceContext? { ServiceContext.current.flatMap { TraceContext($0) } }

    /// The context as an entity of an event.
    public var entity: Entity {
        Entity(
            schema: Self.schema,
            data: ["traceId": .string(traceID), "spanId": .string(spanID), "sampled": .bool(isSampled)])
    }

    private static func isID(_ text: Substring, _ count: Int) -> Bool {
        isHexadecimal(text, count) && text.utf8.contains { $0 != UInt8(ascii: "0") }
    }

    private static func isHexadecimal(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
        carrier[key.lowercased()] = value
    }
}

extension Plugin {
    /// Adds the trace of the current task to each event as an entity; events outside a trace get none.
    public static var traceContext: Plugin {
        var plugin = Plugin(name: "trace_context")
        plugin.addEntities { _ in TraceContext.current.map { [$0.entity] } ?? [] }
        return plugin
    }
}
