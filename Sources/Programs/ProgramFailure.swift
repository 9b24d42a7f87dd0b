/// Why a command ends without having done what it was asked to.
package struct ProgramFailure: Error, Hashable, CustomStringConvertible {
    /// What the program ends with.
    package let exit: ProgramExit
    /// One line for people; empty where all is said already.
    package let message: String

    /// Creates a failure.
    package init(_ exit: ProgramExit, _ message: String = "") {
        self.exit = exit
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
