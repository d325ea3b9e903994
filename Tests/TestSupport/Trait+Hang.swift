package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, and leaves a slow machine under a sanitizer, with all other tests beside, its time.
    package static var endsWhenItHangs: Self { .timeLimit(.minutes(15)) }
}
