package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Fails a test that hangs and cancels it. A slow machine under a sanitizer has time enough.
    package static var endsWhenItHangs: Self { .timeLimit(.minutes(15)) }
}
