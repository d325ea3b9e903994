// The page is static and has no data; all data comes as JSON from the URLs beside it and reaches the page as text, never
// as markup.
//
// Hooks for tests. They are terms of the domain and stable; CSS classes are not.
//   html[data-connection]    connecting, live, polling, silent (no answer for 2 s), disconnected, resting (the page is
//                            hidden), locked (needs a token)
//   html[data-changes]       unknown, allowed, forbidden
//   [data-view=NAME]         overview, trackers, features, experiments, difference, token; hidden unless it is shown
//   a[data-tab=NAME]         the link to a view: #NAME, #NAME/FILTER or #NAME/FILTER?SETTING=VALUE; data-level if it has a
//                            problem or a warning
//   [data-line=LEVEL]        a status line, on every view; with data-topic and data-namespace
//   [data-exception=KIND]    a row of what is not from the document: override, kept, setting; with data-subject and data-name
//   [data-warning=PLACE]     a warning of the document
//   [data-difference=KIND]   a row of what differs from the default; with data-subject and data-name
//   [data-outcome=KIND]      a row of the history; data-trouble if it needs attention
//   [data-tracker=NS]        a tracker's row, with data-mark; within it [data-counter=sent] and, once it is open,
//                            [data-setting=FIELD], [data-layer]
//   [data-chip=NAME]         a choice of trackers or features; [data-sort=NAME] the head of a column
//   [data-event=ID]          a recent event; with data-namespace and data-outcome-of-event
//   [data-feature][data-switch]       a feature's block. In it data-role: open, toggle, value, source, override, overridden,
//                            edit, reset, editor, input, by, note, expiry, save, cancel, meanwhile, error, warning; within it
//                            [data-rule=ID], with [data-mark=unusable], and, once it is open, rows of variables
//   [data-feature][data-variable]     a variable's row, with the same data-roles
//   [data-experiment=ID]     an experiment's card; within it [data-variant=NAME], [data-force=NAME]
//   [data-command=TITLE]     a result of the command palette; with data-kind
//   [data-assignment=ID]     the form's result for an experiment; with data-reason
//   [data-answer=NAME]       the form's result for a feature or variable; with data-reason and data-rule
//   [data-changed=TITLE]     a group of the difference; within it [data-member=NAME]
//   [data-role=…]            everything else: identity, connection, refresh, notice, undo, filter, shown, empty, …

/// The console's page: one HTML file, assembled from string literals, which compile at once.
enum ConsolePage {
    /// The page in UTF-8, divided at the two places where the nonce goes.
    static let parts: [[UInt8]] = [
        """
        <!DOCTYPE html>
        <html lang="en" data-connection="connecting" data-changes="unknown">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>Configuration</title>
        <link rel="icon" href="data:,">
        <style nonce="
        """,
        """
        ">
        \(style)
        \(featureStyle)
        </style>
        </head>
        <body>
        \(markup)
        <script nonce="
        """,
        """
        ">
        \(baseScript)
        \(viewScript)
        \(headerScript)
        \(overviewScript)
        \(trackerScript)
        \(featureScript)
        \(editorScript)
        \(overrideScript)
        \(experimentScript)
        \(assignmentScript)
        \(differenceScript)
        \(paletteScript)
        \(startScript)
        </script>
        </body>
        </html>

        """,
    ].map { Array($0.utf8) }
}
