import Testing

@testable import TrafficPipeline

/// Credentials are found by their form.
@Suite struct KnownTokensTests {
    /// A prefix, and how many characters follow it in a token as it is issued.
    private static let issued: [(String, Int)] = [
        ("ghp_", 36), ("gho_", 36), ("ghu_", 36), ("ghs_", 36), ("ghr_", 36), ("github_pat_", 82), ("glpat-", 20),
        ("glptt-", 40), ("gldt-", 20), ("glrt-", 20), ("glft-", 20), ("glimt-", 25), ("glcbt-", 25), ("glsoat-", 20),
        ("glffct-", 20), ("glagent-", 50), ("gloas-", 64), ("GR1348941", 20), ("npm_", 36),
        ("pypi-AgEIcHlwaS5vcmc", 100), ("rubygems_", 48), ("CLOJARS_", 60), ("AKCp", 69), ("cmVmd", 59), ("sgp_", 40),
        ("AKIA", 16), ("ASIA", 16), ("ABIA", 16), ("ACCA", 16), ("ABSK", 128), ("LTAI", 20), ("AIza", 35),
        ("ya29.", 100), ("dop_v1_", 64), ("doo_v1_", 64), ("dor_v1_", 64), ("HRKU-AA", 58), ("fo1_", 43),
        ("fm1a_", 120), ("fm1r_", 120), ("fm2_", 120), ("ops_eyJ", 250),
        ("tk-us-", 48), ("pul-", 40), ("sha256~", 43), ("hvs.", 95), ("hvb.", 140), ("dp.pt.", 43), ("dapi", 32),
        ("pscale_tkn_", 43), ("pscale_oauth_", 43), ("pscale_pw_", 43), ("pnu_", 36), ("sk_live_", 24),
        ("sk_test_", 24), ("sk_prod_", 99), ("rk_live_", 24), ("rk_test_", 24), ("rk_prod_", 24), ("whsec_", 32),
        ("sq0atp-", 22), ("shpat_", 32), ("shpca_", 32), ("shppa_", 32), ("shpss_", 32), ("shippo_live_", 40),
        ("shippo_test_", 40), ("duffel_live_", 43), ("duffel_test_", 43), ("EZAK", 54), ("EZTK", 54), ("xoxb-", 50),
        ("xoxp-", 70), ("xoxs-", 50), ("xoxa-", 50), ("xoxr-", 50), ("xoxo-", 50), ("xoxe-", 148),
        ("xoxe.xoxb-", 165), ("xoxe.xoxp-", 165), ("xapp-", 90), ("SG.", 66), ("xkeysib-", 81), ("EAAM", 180),
        ("EAAC", 180), ("ntn_", 46), ("lin_api_", 40), ("PMAK-", 59), ("rdme_", 70), ("fio-u-", 64),
        ("sk-ant-api03-", 95), ("sk-proj-", 156), ("sk-", 48), ("hf_", 34), ("api_org_", 34), ("pplx-", 48),
        ("glc_", 32), ("glsa_", 41), ("sntrys_", 120), ("sntryu_", 64), ("dt0c01.", 89), ("AGE-SECRET-KEY-1", 58),
    ]

    private func found(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { KnownTokens.ranges(in: $0) }.map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
    }

    private func token(_ prefix: String, _ count: Int) -> String {
        prefix + String(String(repeating: "a7B2", count: count / 4 + 1).prefix(count))
    }

    @Test(arguments: issued) func aTokenIsFoundWhole(prefix: String, count: Int) {
        let token = token(prefix, count)
        #expect(found("say \(token), \(token)\n") == [token, token])
    }

    @Test(arguments: issued) func aWordThatBeginsLikeOneIsNone(prefix: String, count: Int) {
        #expect(found("\(prefix) \(prefix)word").isEmpty)
        // A token starts after a character that is neither a letter nor a digit.
        let rest = found("x\(token(prefix, count))")
        #expect(rest.isEmpty || prefix.hasPrefix("xoxe."))
    }

    @Test(arguments: KnownTokens.base64Kinds.map(\.begin.description)) func base64IsCoveredToItsEnd(prefix: String) {
        let token = prefix + String(repeating: "a+B/", count: 60) + "=="
        #expect(found("{\"key\":\"\(token)\"}") == [token])
    }

    @Test func eachKindIsTested() {
        let kinds = KnownTokens.kinds + KnownTokens.base64Kinds
        let known = Set(kinds.map(\.begin.description))
        #expect(known.count == kinds.count)
        #expect(known.subtracting(Self.issued.map(\.0)).isEmpty)
    }

    @Test(arguments: [
        "pulling", "sha256:6d8f0a6d8f0a6d8f0a6d8f0a6d8f0a6d8f0a6d8f0a6d8f", "hvs.short", "dapi-documentation-page",
        "AKIAtown", "Glimt-glimt", "npm_lifecycle_event", "sk-button-primary", "hf_model_name", "api_org_members",
        "github_pat_count", "xapp-window",
    ]) func ordinaryNamesStay(text: String) {
        #expect(found("a \(text) b").isEmpty)
    }
}
