import CoreMetrics
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Testing
import TrackerConfig

/// A file that imports what a service imports names each type of TrackerConfig by its name alone: it does not compile if another module
/// has the name too. `Documentation/api.py` fails if a type is missing here.
@Suite("Names")
struct NamesTests {
    private static let types: [Any.Type] = [
        ApplicationError.self, CacheEntry.self, ConfigurationBundle.self, (any ConfigurationCache).self,
        ConfigurationError.self, ConfigurationOutcome.self, ConfigurationState.self, ConfigurationUpdate.self,
        CrashGuard.self, Document.self, DocumentStatus.self, DropReason.self, EmitterConfiguration.self, Entity.self,
        EvaluationDetail<Int>.self, EvaluationReason.self, (any Event).self, EventContent.self, EventError.self,
        EventID.self, EventSubject.self, ExperimentAssignment.self, ExperimentOptions.self, ExperimentUnit.self,
        Experiments.self, FeatureChange<Int>.self, FeatureContext.self, FeatureError.self, FeatureExplanation.self,
        FeatureOptions.self, FeatureOverride.self, FeatureOverrides.self, FeatureSnapshot.self, FeatureSource.self,
        FeatureValues.self, Features.self, GDPR.self, GeoLocation.self, HTTPHeader.self, JSONFileProvider.self,
        JSONObject.self,
        JSONValue.self, LogLevel.self, LogRecord.self, (any LogSink).self, MemoryCache.self, Metric.self,
        NamedCode<Setup>.self, NetworkConfiguration.self, PageView.self, Plugin.self, RemoteConfiguration.self,
        RuntimeControl<NetworkConfiguration>.self, Sampling.self, SelfDescribing.self, SessionConfiguration.self,
        Setup.self, SetupEvent.self, SetupOptions.self, SetupStatus.self, StatusLine.self, Structured.self,
        Subscription.self, Tracker.self, TrackerConfiguration.self, TrackerCounters.self, TrackerStatus.self,
        TrackingContext.self, TrackingError.self, Variable<Int>.self,
    ]

    @Test(
        "no type of TrackerConfig has the name of a type of Hummingbird, NIO, swift-log, swift-metrics or swift-service-lifecycle"
    )
    func names() {
        let names = Self.types.map { "\($0)" }
        #expect(Set(names).count == names.count)
    }
}
