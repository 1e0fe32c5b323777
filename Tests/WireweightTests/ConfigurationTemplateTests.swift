import Testing
import URLTemplates

@testable import Wireweight

@Suite struct ConfigurationTemplateTests {
    @Test func templatesOfTheConfigurationAreThoseOfThePipeline() throws {
        var configuration = TrafficMonitor.Configuration()
        configuration.templates = ["/shops/{shop}/items/{item}", "/files/{path...}"]
        let templates = try configuration.urlTemplates()
        #expect(templates.givenTemplate(of: "/shops/a/items/b") == "/shops/{shop}/items/{item}")
        #expect(templates.givenTemplate(of: "/files/a/b") == "/files/{path...}")
        #expect(templates.givenTemplate(of: "/shops/a") == nil)
    }

    @Test func oneThatIsNoneIsRefusedByName() {
        var configuration = TrafficMonitor.Configuration()
        configuration.templates = ["/fine", "/shops/{shop"]
        let error = #expect(throws: MonitorError.self) { try configuration.urlTemplates() }
        #expect(error?.code == .wrongConfiguration)
        #expect(error?.message.contains("'/shops/{shop' is no template: a '{' has no '}' in its segment") == true)
    }
}
