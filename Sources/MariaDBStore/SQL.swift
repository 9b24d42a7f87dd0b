#if MariaDB
    /// A command for the database, which can only be written in the program: nothing that was read becomes a part of one.
    /// Data go into its `?` as parameters.
    struct SQL: ExpressibleByStringLiteral, Hashable, Sendable {
        let text: String

        init(stringLiteral text: StaticString) {
            self.text = "\(text)"
        }

        private init(joined text: String) {
            self.text = text
        }

        static func + (left: SQL, right: SQL) -> SQL {
            SQL(joined: left.text + right.text)
        }
    }
#endif
