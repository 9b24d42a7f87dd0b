extension Cursor {
    /// The field by which a client says what it has seen and a server says what a write became:
    /// `Livery-Revision: epoch:revision`.
    ///
    /// Whichever of several servers on one store is asked, it answers with nothing older.
    package static let fieldName = "Livery-Revision"
}
