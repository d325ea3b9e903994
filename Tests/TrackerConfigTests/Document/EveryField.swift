/// A bundle with every field that a document may set, each other than built in.
enum EveryField {
    static let bundle = """
        {"namespace":"all",
        "networkConfiguration":{"endpoint":"http://collector.example/path","method":"get"},
        "trackerConfiguration":{"appId":"shop","devicePlatform":"iot","base64encoding":false,"logLevel":"verbose",
        "sessionContext":true,"applicationContext":true,"platformContext":true,"geoLocationContext":true,
        "screenContext":true,"screenViewAutotracking":true,"screenEngagementAutotracking":true,
        "lifecycleAutotracking":true,"installAutotracking":true,"deepLinkContext":true,"immersiveSpaceContext":true,
        "exceptionAutotracking":true,"diagnosticAutotracking":true,"userAnonymisation":true,"sampling":{"rate":1.0,"by":"user"}},
        "subjectConfiguration":{"userId":"u","networkUserId":"n","domainUserId":"d","useragent":"ua",
        "ipAddress":"10.0.0.1","timezone":"Europe/Berlin","language":"en"},
        "sessionConfiguration":{"foregroundTimeout":60,"backgroundTimeout":30},
        "emitterConfiguration":{"bufferOption":"LargeGroup","emitRange":7,"threadPoolSize":3,"byteLimitGet":2000,
        "byteLimitPost":3000,"customRetryForStatusCodes":{"403":true,"503":false},"retryFailedRequests":false,
        "serverAnonymisation":true,"maxEventStoreAge":90,"maxEventStoreSize":12,
        "maxEventStoreBytes":5000,"maxRetryDelay":20}}
        """

    /// The fields in their order, `section.field`.
    static let names = [
        "network.endpoint", "network.method", "tracker.appId", "tracker.devicePlatform", "tracker.base64encoding",
        "tracker.logLevel", "tracker.sessionContext", "tracker.applicationContext", "tracker.platformContext",
        "tracker.geoLocationContext", "tracker.diagnosticAutotracking", "tracker.userAnonymisation", "tracker.sampling",
        "tracker.screenContext", "tracker.screenViewAutotracking", "tracker.screenEngagementAutotracking",
        "tracker.lifecycleAutotracking", "tracker.installAutotracking", "tracker.deepLinkContext",
        "tracker.immersiveSpaceContext", "tracker.exceptionAutotracking", "subject.userId", "subject.networkUserId",
        "subject.domainUserId",
        "subject.useragent", "subject.ipAddress", "subject.timezone", "subject.language", "session.foregroundTimeout",
        "session.backgroundTimeout", "emitter.bufferOption", "emitter.emitRange", "emitter.threadPoolSize",
        "emitter.byteLimitGet", "emitter.byteLimitPost", "emitter.customRetryForStatusCodes",
        "emitter.retryFailedRequests", "emitter.serverAnonymisation", "emitter.maxEventStoreAge",
        "emitter.maxEventStoreSize", "emitter.maxEventStoreBytes", "emitter.maxRetryDelay",
    ]
}
