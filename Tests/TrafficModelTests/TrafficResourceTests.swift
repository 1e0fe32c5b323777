import Testing
import TrafficModel

@Suite struct TrafficResourceTests {
    @Test("OpenTelemetry's variables name the resource, and the name of the service has a variable of its own")
    func environment() {
        let resource = TrafficResource(environment: [
            "OTEL_SERVICE_NAME": "shop",
            "OTEL_RESOURCE_ATTRIBUTES":
                "service.name=other, service.version = 2.4,deployment.environment=pro%20d,cloud.region=eu,cloud.zone=a,broken,os.type=",
        ])
        #expect(resource == TrafficResource(service: "shop", version: "2.4", environment: "pro d", region: "eu"))
        let newer = TrafficResource(environment: [
            "OTEL_RESOURCE_ATTRIBUTES":
                "service.name=a=b,deployment.environment.name=test,host.name=m1,os.type=linux,os.version=6.1,network.carrier.name=T%C3%A9l"
        ])
        #expect(
            newer
                == TrafficResource(
                    service: "a=b", environment: "test", hostName: "m1", os: "linux", osVersion: "6.1", carrier: "Tél"))
        #expect(TrafficResource(environment: ["OTEL_SERVICE_NAME": ""]) == TrafficResource())
    }

    @Test("What is given comes first, attribute by attribute")
    func completed() {
        let given = TrafficResource(service: "shop", os: "darwin")
        let other = TrafficResource(
            service: "x", version: "1", environment: "e", hostName: "h", os: "o", osVersion: "v")
        #expect(
            given.completed(by: other)
                == TrafficResource(
                    service: "shop", version: "1", environment: "e", hostName: "h", os: "darwin", osVersion: "v"))
    }

    @Test("An installation is a random UUID, which its text yields again")
    func identity() {
        var generator = SystemRandomNumberGenerator()
        let id = InstallationID.random(using: &generator)
        let text = id.description
        #expect(text.utf8.count == 36)
        #expect(Array(text.utf8)[14] == UInt8(ascii: "4"))
        #expect("89ab".contains(text.dropFirst(19).prefix(1)))
        #expect(InstallationID(text) == id)
        #expect(InstallationID(high: 1, low: 2).description == "00000000-0000-0001-0000-000000000002")
        for wrong in ["", "x", text + "0", text.replacing("-", with: ""), "+0000000-0000-0001-0000-000000000002"] {
            #expect(InstallationID(wrong) == nil)
        }
    }
}
