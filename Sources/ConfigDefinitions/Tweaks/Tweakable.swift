public import ConfigModel
public import Foundation

/// A type that has an editor of its own: what ``ConfigDefinition/tweak(category:section:name:)`` is restricted to.
///
/// Enums with all their cases get a picker, other types a text field, unless they say otherwise.
public protocol Tweakable: ConfigStorable {
    /// The editor where a tweak names none.
    static var tweakEditor: TweakEditor { get }
}

extension Tweakable {
    /// A text field.
    public static var tweakEditor: TweakEditor { .text }
}

extension Tweakable where Self: CaseIterable {
    /// A list of all cases.
    public static var tweakEditor: TweakEditor {
        .picker(allCases.map { TweakEditor.Option(String(describing: $0), $0) })
    }
}

extension Bool: Tweakable {
    /// A switch.
    public static var tweakEditor: TweakEditor { .toggle }
}

extension Int: Tweakable {
    /// A field with buttons.
    public static var tweakEditor: TweakEditor { .stepper(range: nil, step: 1) }
}

extension Double: Tweakable {
    /// A field with buttons.
    public static var tweakEditor: TweakEditor { .stepper(range: nil, step: 0.1) }
}

extension String: Tweakable {}

extension URL: Tweakable {}

extension Date: Tweakable {}

extension SemanticVersion: Tweakable {}

extension RGBColor: Tweakable {
    /// A colour picker.
    public static var tweakEditor: TweakEditor { .color }
}

extension Optional: Tweakable where Wrapped: Tweakable {
    /// A switch before the editor of the wrapped type.
    public static var tweakEditor: TweakEditor { .optional(Wrapped.tweakEditor) }
}

extension Array: Tweakable where Element: Tweakable {
    /// A list of editors.
    public static var tweakEditor: TweakEditor { .array(Element.tweakEditor) }
}
