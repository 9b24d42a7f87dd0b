import TerminalUI
import Testing

@testable import LiveryApp

struct DemoMouseTests {
    @Test func aClickOnTheButtonOpensTheURLAndElsewhereNothing() throws {
        var model = try Demo.model()
        let button = MainLayout(model).button
        for column in 0..<80 {
            for row in 0..<24 {
                let isOpened = model.mouse(.press(button: 0), column, row) == [.open(model.values.buttonURL)]
                #expect(isOpened == button.contains(Point(column: column, row: row)), "\(column), \(row)")
            }
        }
        #expect(model.mouse(.press(button: 0), .max, .max) == [])
    }

    @Test(arguments: [
        MouseEvent.Action.press(button: 1), .press(button: 2), .release(button: 0), .drag(button: 0), .scroll(1),
        .scroll(-1),
    ])
    func otherUsesOfTheMouseOnTheButtonDoNothing(action: MouseEvent.Action) throws {
        var model = try Demo.model()
        let before = model.view()
        #expect(model.mouse(action, 40, 11) == [])
        #expect(model.view() == before)
    }

    @Test func theButtonIsNotClickedThroughAnOverlay() throws {
        var model = try Demo.model()
        model.press("i")
        #expect(model.overlayFrame.contains(Point(column: 40, row: 11)))
        #expect(model.mouse(.press(button: 0), 40, 11) == [])
        #expect(model.overlay == .inspector)
    }

    @Test func aClickBesideAnOverlayClosesIt() throws {
        var model = try Demo.model()
        model.press("?")
        #expect(model.mouse(.press(button: 0), 0, 0) == [])
        #expect(model.overlay == nil)
    }

    @Test func theWheelScrolls() throws {
        var model = try Demo.model(size: Size(columns: 80, rows: 8))
        model.press("?")
        #expect(model.mouse(.scroll(1), 0, 0) == [])
        #expect(model.scroll == 1)
        #expect(model.mouse(.scroll(-1), 0, 0) == [])
        #expect(model.scroll == 0)
    }
}
