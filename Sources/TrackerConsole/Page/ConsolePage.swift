// The page is static and has no data; all data comes as JSON from the URLs beside it and reaches the page as text, never
// as markup.
//
// Hooks for tests. They are terms of the domain and stable; CSS classes are not.
//   html[data-connection]    connecting, live, polling, disconnected, resting (the page is hidden), locked (needs a token)
//   html[data-changes]       unknown, allowed, forbidden
//   [data-view=NAME]         overview, trackers, features, experiments, difference, token; hidden unless it is shown
//   a[data-tab=NAME]         the link to a view: #NAME, or #NAME/FILTER
//   [data-difference=KIND]   a row of the overview; with data-subject and data-name
//   [data-outcome=KIND]      a row of the history; data-trouble if it needs attention
//   [data-tracker=NS]        a tracker's card; within it [data-counter=sent], [data-setting=FIELD], [data-layer]
//   [data-event=ID]          a recent event; with data-namespace
//   [data-group=TITLE]       a group of variables
//   [data-feature][data-variable]     a variable's row; [data-feature][data-switch] is the feature's own. In it data-role:
//                            value, source, over, edit, reset, editor, input, save, cancel, meanwhile, error, warning;
//                            in that of the feature [data-rule=ID], with [data-mark=unusable]
//   [data-experiment=ID]     an experiment's card; within it [data-variant=NAME]
//   [data-assignment=ID]     the form's result for an experiment; with data-reason
//   [data-answer=NAME]       the form's result for a feature or variable; with data-reason and data-rule
//   [data-changed=TITLE]     a group of the difference; within it [data-member=NAME]
//   [data-role=…]            everything else: sentence, connection, refresh, notice, filter, shown, empty, …

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
        \(trackerScript)
        \(featureScript)
        \(experimentScript)
        </script>
        </body>
        </html>

        """,
    ].map { Array($0.utf8) }
}
