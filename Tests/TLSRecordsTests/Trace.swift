/// The bytes of RFC 8448, section 3 ("Simple 1-RTT Handshake"), whose cipher suite is TLS_AES_128_GCM_SHA256.
enum Trace {
    static let random = bytes("cb34ecb1e78163ba1c38c6dacb196a6dffa21a8d9912ec18a2ef6283024dece7")
    static let client = bytes("9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5")
    static let server = bytes("a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643")

    /// The record of the ClientHello.
    static let clientHello = bytes(
        """
        16030100c4010000c00303cb34ecb1e78163ba1c38c6dacb196a6dffa21a8d9912ec18a2ef6283024dece7000006130113031302
        010000910000000b0009000006736572766572ff01000100000a00140012001d0017001800190100010101020103010400230000
        003300260024001d002099381de560e4bd43d23d8e435a7dbafeb3c06e51c13cae4d5413691e529aaf2c002b0003020304000d00
        20001e040305030603020308040805080604010501060102010402050206020202002d00020101001c00024001
        """)
    static let serverHello = bytes(
        """
        160303005a020000560303a6af06a4121860dc5e6e60249cd34c95930c8ac5cb1434dac155772ed3e2692800130100002e003300
        24001d0020c9828876112095fe66762bdbf7c672e156d6cc253b833df1dd69b1b04e751f0f002b00020304
        """)
    static let serverFlight = bytes(
        """
        17030302a2d1ff334a56f5bff6594a07cc87b580233f500f45e489e7f33af35edf7869fcf40aa40aa2b8ea73f848a7ca07612ef9
        f945cb960b4068905123ea78b111b429ba9191cd05d2a389280f526134aadc7fc78c4b729df828b5ecf7b13bd9aefb0e57f27158
        5b8ea9bb355c7c79020716cfb9b1183ef3ab20e37d57a6b9d7477609aee6e122a4cf51427325250c7d0e509289444c9b3a648f1d
        71035d2ed65b0e3cdd0cbae8bf2d0b227812cbb360987255cc744110c453baa4fcd610928d809810e4b7ed1a8fd991f06aa62482
        04797e36a6a73b70a2559c09ead686945ba246ab66e5edd8044b4c6de3fcf2a89441ac66272fd8fb330ef8190579b3684596c960
        bd596eea520a56a8d650f563aad27409960dca63d3e688611ea5e22f4415cf9538d51a200c27034272968a264ed6540c84838d89
        f72c24461aad6d26f59ecaba9acbbb317b66d902f4f292a36ac1b639c637ce343117b659622245317b49eeda0c6258f100d7d961
        ffb138647e92ea330faeea6dfa31c7a84dc3bd7e1b7a6c7178af36879018e3f252107f243d243dc7339d5684c8b0378bf30244da
        8c87c843f5e56eb4c5e8280a2b48052cf93b16499a66db7cca71e4599426f7d461e66f99882bd89fc50800becca62d6c74116dbd
        2972fda1fa80f85df881edbe5a37668936b335583b599186dc5c6918a396fa48a181d6b6fa4f9d62d513afbb992f2b992f67f8af
        e67f76913fa388cb5630c8ca01e0c65d11c66a1e2ac4c85977b7c7a6999bbf10dc35ae69f5515614636c0b9b68c19ed2e31c0b3b
        66763038ebba42f3b38edc0399f3a9f23faa63978c317fc9fa66a73f60f0504de93b5b845e275592c12335ee340bbc4fddd50278
        4016e4b3be7ef04dda49f4b440a30cb5d2af939828fd4ae3794e44f94df5a631ede42c1719bfdabf0253fe5175be898e750edc53
        370d2b
        """)
    static let clientFinished = bytes(
        """
        170303003575ec4dc238cce60b298044a71e219c56cc77b0517fe9b93c7a4bfc44d87f38f80338ac98fc46deb384bd1caeacab68
        67d726c40546
        """)
    static let ticket = bytes(
        """
        17030300de3a6b8f90414a97d6959c3487680de5134a2b240e6cffac116e95d41d6af8f6b580dcf3d11d63c758db289a01594025
        2f55713e061dc13e078891a38efbcf5753ad8ef170ad3c7353d16d9da773b9ca7f2b9fa1b6c0d4a3d03f75e09c30ba1e62972ac4
        6f75f7b981be63439b2999ce13064615139891d5e4c5b406f16e3fc181a77ca475840025db2f0a77f81b5ab05b94c01346755f69
        232c86519d86cbeeac87aac347d143f9605d64f650db4d023e70e952ca49fe5137121c74bc2697687e248746d6df353005f3bce1
        8696129c8153556b3b6c6779b37bf15985684f
        """)
    static let clientData = bytes(
        """
        1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a20441e2b62974e1f
        5a6292a2977014bd1e3deae63aeebb21694915e4
        """)
    static let serverData = bytes(
        """
        17030300432e937e11ef4ac740e538ad36005fc4a46932fc3225d05f82aa1b36e30efaf97d90e6dffc602dcb501a59a8fcc49c4b
        f2e5f0a21c0047c2abf332540dd032e167c2955d
        """)
    static let clientAlert = bytes("1703030013c9872760655666b74d7ff1153efd6db6d0b0e3")
    static let serverAlert = bytes("1703030013b58fd67166ebf599d24720cfbe7efa7a8864a9")

    static let data = Array<UInt8>(0..<50)

    /// All of it in order; true is the client.
    static let all: [(Bool, [UInt8])] = [
        (true, clientHello), (false, serverHello), (false, serverFlight), (true, clientFinished), (false, ticket),
        (true, clientData), (false, serverData), (true, clientAlert), (false, serverAlert),
    ]

    static func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.filter(\.isHexDigit)
        return stride(from: 0, to: digits.count, by: 2).map { place in
            let from = digits.index(digits.startIndex, offsetBy: place)
            return UInt8(digits[from..<digits.index(from, offsetBy: 2)], radix: 16) ?? 0
        }
    }
}
