internal import TrafficPipeline

extension TrafficMonitor.Configuration {
    /// The rules for templates, the user's own first.
    func urlTemplates() throws(MonitorError) -> URLTemplate {
        var given: [TemplatePattern] = []
        for template in templates {
            do throws(TemplatePattern.Invalid) {
                given.append(try TemplatePattern(template))
            } catch {
                throw MonitorError(error)
            }
        }
        return URLTemplate(given: given)
    }
}
