/// How long a test waits for what comes in real time: a busy machine may take more than the 30 s that are the default.
let patience = Duration.seconds(600)
