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
        ApplicationError.self, (any AssignmentStore).self, BufferOption.self, CacheEntry.self, ChangeHint.self,
        ConfigurationBundle.self, (any ConfigurationCache).self, ConfigurationChange.self, ConfigurationError.self,
        ConfigurationLayer.self, ConfigurationOutcome.self, (any ConfigurationSource).self, ConfigurationState.self,
        ConfigurationUpdate.self, CrashGuard.self, CurlTransport.self, DeadLetters.self, DevicePlatform.self,
        Document.self, DocumentStatus.self, DocumentValidators.self, DropReason.self, DroppedEvent.self,
        EmitterConfiguration.self, Entity.self, EvaluationDetail<Int>.self, EvaluationReason.self, (any Event).self,
        EventContent.self, EventError.self, EventID.self, EventPipeline.self, EventSelection.self, EventSubject.self,
        EventType.self, Experiment.self, ExperimentAssignment.self, ExperimentCounters.self, ExperimentOptions.self,
        ExperimentUnit.self, ExperimentVariant.self, Experiments.self, FeatureChange<Int>.self, FeatureContext.self,
        FeatureDefinition.self, FeatureError.self, FeatureExplanation.self, FeatureOptions.self, FeatureOverride.self,
        FeatureOverrides.self, FeatureSnapshot.self, FeatureSource.self, FeatureUsage.self,
        (any FeatureValueProvider).self, FeatureValues.self, Features.self, FetchError.self, FetchedDocument.self,
        GDPR.self, GeoLocation.self, HTTPHeader.self, HTTPSource.self, (any HTTPTransport).self,
        HTTPTransportError.self, HTTPTransportRequest.self, HTTPTransportResponse.self, (any JSONConvertible).self,
        JSONFileProvider.self, JSONObject.self, JSONValue.self, LogLevel.self, LogRecord.self, (any LogSink).self,
        MemoryCache.self, Metric.self, NamedCode<Setup>.self, NetworkConfiguration.self, PageView.self, PixelSize.self,
        Plugin.self,
        ProcessIdentity.self, ProvidedFeatures.self, RemoteConfiguration.self, RequestOverrides.self,
        RolloutStatus.self, RuntimeControl<NetworkConfiguration>.self, Sampling.self, SelfDescribing.self,
        SessionConfiguration.self, SettingExplanation.self, Setup.self, SetupEvent.self, SetupOptions.self,
        SetupStatus.self, StatusLine.self, StickyAssignment.self, StreamStatus.self, Structured.self,
        Subscription.self, TrackedEvent.self, Tracker.self, TrackerConfiguration.self, TrackerCounters.self,
        TrackerStatus.self, TrackingContext.self, TrackingError.self, Variable<Int>.self, VariableDefinition.self,
    ]

    @Test(
        "no type of TrackerConfig has the name of a type of Hummingbird, NIO, swift-log, swift-metrics or swift-service-lifecycle"
    )
    func names() {
        let names = Self.types.map { "\($0)" }
        #expect(Set(names).count == names.count)
    }
}
