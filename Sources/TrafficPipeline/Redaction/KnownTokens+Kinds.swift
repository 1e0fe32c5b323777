extension KnownTokens {
    /// A kind of token: its prefix, and the least number of characters after it.
    typealias Kind = (begin: StaticString, least: Int)

    /// The kinds that are found.
    ///
    /// Prefixes and lengths are those of the rules of gitleaks (https://github.com/gitleaks/gitleaks, config/gitleaks.toml,
    /// as of 2026-07-22), with some room below the length, because issuers change lengths more often than prefixes.
    /// `whsec_` is not among them: Stripe documents it. Rules that need a word nearby, and prefixes that begin ordinary
    /// names (`ico-`, `API-`, `4b1d`, `SK`), are left out.
    static let kinds: [Kind] = [
        // Code hosts and registries.
        ("ghp_", 30), ("gho_", 30), ("ghu_", 30), ("ghs_", 30), ("ghr_", 30), ("github_pat_", 30),
        ("glpat-", 20), ("glptt-", 40), ("gldt-", 20), ("glrt-", 20), ("glft-", 20), ("glimt-", 25), ("glcbt-", 20),
        ("glsoat-", 20), ("glffct-", 20), ("glagent-", 50), ("gloas-", 64), ("GR1348941", 20),
        ("npm_", 36), ("pypi-AgEIcHlwaS5vcmc", 50), ("rubygems_", 48), ("CLOJARS_", 60), ("AKCp", 69), ("cmVmd", 59),
        ("sgp_", 40),
        // Clouds and platforms.
        ("AKIA", 16), ("ASIA", 16), ("ABIA", 16), ("ACCA", 16), ("LTAI", 20), ("AIza", 35),
        ("ya29.", 20),
        ("dop_v1_", 30), ("doo_v1_", 30), ("dor_v1_", 30), ("HRKU-AA", 58), ("fo1_", 43), ("tk-us-", 48), ("pul-", 40),
        ("sha256~", 43), ("hvs.", 90), ("hvb.", 100), ("dp.pt.", 43), ("dapi", 32), ("pscale_tkn_", 32),
        ("pscale_oauth_", 32), ("pscale_pw_", 32), ("pnu_", 36),
        // Payment and trade.
        ("sk_live_", 16), ("sk_test_", 16), ("sk_prod_", 16), ("rk_live_", 16), ("rk_test_", 16), ("rk_prod_", 16),
        ("whsec_", 16), ("sq0atp-", 22), ("shpat_", 30), ("shpca_", 30), ("shppa_", 30), ("shpss_", 30),
        ("shippo_live_", 40), ("shippo_test_", 40), ("duffel_live_", 43), ("duffel_test_", 43), ("EZAK", 54),
        ("EZTK", 54),
        // Messages and documents.
        ("xoxb-", 20), ("xoxp-", 20), ("xoxs-", 20), ("xoxa-", 20), ("xoxr-", 20), ("xoxo-", 20), ("xoxe-", 20),
        ("xoxe.xoxb-", 20), ("xoxe.xoxp-", 20), ("xapp-", 20), ("SG.", 40), ("xkeysib-", 64), ("EAAM", 100),
        ("EAAC", 100), ("ntn_", 40), ("lin_api_", 40), ("PMAK-", 59), ("rdme_", 70), ("fio-u-", 64),
        // Models and observability.
        ("sk-", 32), ("hf_", 30), ("api_org_", 34), ("pplx-", 48), ("glsa_", 41), ("sntryu_", 64), ("dt0c01.", 24),
        ("AGE-SECRET-KEY-1", 58),
    ]
    /// The same of tokens that have the other characters of Base64, too.
    static let base64Kinds: [Kind] = [
        ("ABSK", 100), ("sntrys_", 60), ("glc_", 32), ("fm1a_", 100), ("fm1r_", 100), ("fm2_", 100), ("ops_eyJ", 200),
    ]
}
