internal import URLTemplates

extension TrafficMonitor.Configuration {
    /// The rules that find URL templates; the user's own come first.
    ///
    /// - Throws: ``MonitorError`` if one of ``templates`` is not a valid template.
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
