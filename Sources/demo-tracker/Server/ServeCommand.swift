enum ServeCommand { static func run(_ words: [String]) async throws(UsageError) {} }
