import Testing

@testable import URLTemplates

@Suite struct PublicPathTests {
    @Test("Paths of public APIs become the templates that were written down for them", arguments: PublicPaths.cases)
    func publicPaths(_ item: PublicPaths.Case) {
        let halves = item.target.split(separator: "?", maxSplits: 1).map(String.init)
        let template = URLTemplate().template(of: halves[0], query: halves.count > 1 ? halves[1] : nil)
        #expect(template == item.template)
    }

    @Test func thereAreTwentySetsAtLeast() {
        #expect(Set(PublicPaths.cases.map(\.set)).count >= 20)
    }
}
