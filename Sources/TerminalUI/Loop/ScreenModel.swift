/// A full-screen program as values: a model, what changes it, and what it looks like.
///
/// Both functions are pure. Whatever happens, a key or a new configuration, is a message; whatever has to be done
/// in the world, such as opening a URL, is an effect that someone else carries out.
public protocol ScreenModel {
    /// What can happen to the program.
    associatedtype Message
    /// What the program can ask to have done.
    associatedtype Effect

    /// Takes in what happened.
    ///
    /// - Returns: what has to be done now, in order.
    mutating func update(_ message: Message) -> [Effect]

    /// The screen as it has to look now.
    func view() -> Grid
}
