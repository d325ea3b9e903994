enum DemoCommand { static func run(_ words: [String]) async throws(UsageError) {} }
