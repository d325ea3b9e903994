extension ApplicationError {
    /// The programming languages of the schema, by their names there.
    @nonexhaustive
    public enum ProgrammingLanguage: String, Sendable, Hashable, CaseIterable {
        /// Java.
        case java = "JAVA"
        /// Scala.
        case scala = "SCALA"
        /// Kotlin.
        case kotlin = "KOTLIN"
        /// Groovy.
        case groovy = "GROOVY"
        /// Ruby.
        case ruby = "RUBY"
        /// Go.
        case go = "GOLANG"
        /// JavaScript.
        case javaScript = "JAVASCRIPT"
        /// PHP.
        case php = "PHP"
        /// Python.
        case python = "PYTHON"
        /// Objective-C.
        case objectiveC = "OBJECTIVEC"
        /// Swift.
        case swift = "SWIFT"
        /// C.
        case c = "C"
        /// C++.
        case cPlusPlus = "CPLUSPLUS"
        /// C#.
        case cSharp = "CSHARP"
        /// ActionScript.
        case actionScript = "ACTIONSCRIPT"
        /// Lua.
        case lua = "LUA"
        /// Rust.
        case rust = "RUST"
        /// Haskell.
        case haskell = "HASKELL"
        /// Clojure.
        case clojure = "CLOJURE"
        /// Erlang.
        case erlang = "ERLANG"
        /// Elixir.
        case elixir = "ELIXIR"
        /// Crystal.
        case crystal = "CRYSTAL"
        /// Pony.
        case pony = "PONY"
        /// Nim.
        case nim = "NIM"
    }
}
