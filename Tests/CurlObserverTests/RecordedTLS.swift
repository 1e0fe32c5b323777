/// A session of OpenSSL 3 in TLS 1.3 with two exchanges of HTTP/1.1, through a relay, and the client's key log.
enum RecordedTLS {
    static let keyLog = """
        SERVER_TRAFFIC_SECRET_0 64bacd9f1953111e2d5f9ffa40f78f79a5bd12e0d2475f4575a96d1133721f9d \
        dae270e3ea388537a9797c9dc17b6c9b89a42acb1813c8939584bac649892fce
        CLIENT_TRAFFIC_SECRET_0 64bacd9f1953111e2d5f9ffa40f78f79a5bd12e0d2475f4575a96d1133721f9d \
        8ccfc11282eb1cbaf2b21a029886aa9a7a989cbb20465e56d24acf84c414ebe2

        """

    /// What passed, in order.
    static let pieces: [(isDown: Bool, bytes: [UInt8])] = [
        (
            false,
            bytes(
                """
                16030100d4010000d0030364bacd9f1953111e2d5f9ffa40f78f79a5bd12e0d2475f4575a96d1133721f9d2087437ca57bf6
                50a07c3f6623b3614ca9b0e5bcb0a7a71cc2cdd058614b8e96fe000813021303130100ff0100007f00000006000400000174
                000b000403000102000a00040002001d002300000016000000170000000d001e001c040305030603080708080809080a080b
                080408050806040105010601002b0003020304002d00020101003300260024001d0020fa66ff683bee3e8d516e6882b659b2
                670776709c8dc7ce86952d929d51a0a210
                """)
        ),
        (
            true,
            bytes(
                """
                160303007a0200007603039db7e96c5111d07e2796c405e79aac32d5dacf61a11933d7f280ef3ec351603d2087437ca57bf6
                50a07c3f6623b3614ca9b0e5bcb0a7a71cc2cdd058614b8e96fe130100002e002b0002030400330024001d002055eae4c533
                0a64c07ddbb5705b8a9c60f6e58705bc1318d908a33c9bba1c8a511403030001011703030017473c74eee06b141a67e2feb7
                7141219be0d68d6b895c101703030190de0da40b0e8983ac833ea4ce82d5f84497f2c5574eccc3ce7a8f0089ab181a44b320
                8a5ef858e2f2036858f2606f567ec4ce64f98a30065f1214606c9ccb46ba7984f1c647d61864cca500a1adfc44d5f01862ad
                fd961d85bafdc4aa3bdb4f797fb84e77505d8c561085a2c5f9998465131120db14bd16c85073365c456fd7d9eaafb308e6a5
                623e646eba7eff0c009a3cddebca09204a478799da19199f3b79caf9ce546904d2462c8651001f8bc9f7ce025b5ec2455c3f
                9eddb4a06cfa216aaf642ece678c4eedbfa7c6c32722cb6bf803ba3e1c57fc9e871e4c14969c8085d3eed99cdde350b86c6f
                0cc714e026a47e43a65ce01b3af38436e212a5c1770292ac746507213ffc33c2e7216f497c3d6752781802f84ceb03dc43b1
                97a67ba1a074fd4990393011e049fe0f1e2bcc579974ab89d7f0d71973e8b3f4b14ffa0690e8743dd713d6fb169ba6c8d3f7
                cd99716b39deddcf1e3f4450ae2a12bf7f3b644feea88eb3c18800d32175621136a81f2c275ccd97888c5305feb9ae647ec0
                a411d38f2926d9f9bf30342335b64863170303005f40ba7acf0ede85739b63a4cae709391b1edf9bdb7942a3c695cb82a8db
                95deffe8d52706ae6c08f4f7ca0c61aba21a2cf311077a4967acc356dafa6b8f44a04b3acf56a049bddaf903d0c79661015d
                30a07e1e30de339bd68ac7fcd86d29831703030035d646435e3d041a38fcc35bd18541a7b5173cae3b767f011058ad34b750
                9b18ddd4b9d1bac86944c2d7e89865500d004828e6ffc890
                """)
        ),
        (
            false,
            bytes(
                """
                14030300010117030300357d4d328a028a3da724fe51884e7adc37ee9d3bf3a1e433fb3f003f8ab12642001336e5c85f646f
                e3d2b02525bdba7cf4eaa55088f9
                """)
        ),
        (
            true,
            bytes(
                """
                17030300eafc362a9cdd0ad9d2b1426d5adf29e53a1899c2a0a25535a5fbdf87eba2c778bbe9c68aaa2b71695366b5b3e42f
                9472a48cf2d243120b812f85890bab55f5166dc420787e5b8ce5ca827ee6dbb6ed265650d8b63ed8f57e109e15a744b2ca69
                46050d469ec232e643cacf56c8e5803f5b5c1efa9e5b3c1bc1a5a11f18e24ddefbd02aff5c600aeb3e84b0b5a459e7730571
                601667b46f9b5901298849c2a70b0da2579846666db0ff2ca9ba0899b9b7f340ad4f19cbfd04138b87098322bc77dd3c0138
                ae1af239792e2ef9d6526aab8ed9a47ede6ff225fe799cd1f21b77d46c1923f9754b00315457b217030300ea528afed7d964
                4f553b8796753607449b669edc29780df498bbf474b28dff9129d220ec62c59237162dd71676786e6ce8ffa8ad0822024760
                5b34a820d56aaae565a6e4cf656a6c6e3d2651898b8776f829170d17682a9a00f9487f613da7b5cb0fe1f46406952ed6845e
                b1de06643dfb1d4fbbe8813257cdfb31275027311b9a7f2f86c2acfd4437af43260cd9c7702a3b249e5a586ca3111e2afc57
                f5e4a539bec0d2d2fb5b887ba73945a1080a938d0f4b9444bed5ee1aebb5a778c360242279633e4ab76b825f787d6b73f482
                ae425580017e11e889d803c5d4ceb6e41cd4ad2321f2d1aaac7a9c04
                """)
        ),
        (
            false,
            bytes(
                """
                170303003a7f8b1f7a6e97e2cde37416cd82727dd0804933939fdf71512f5d4b4c1a4237bd98b19b1b6d9c9d999e242aa40d
                889141ffb507b1ca46b4f0bd68
                """)
        ),
        (
            true,
            bytes(
                """
                170303003cb3a85f27bfa780f09e5866deeb9147c3ca8168a19afb728de9ff3b0c9121767f545541b66078dc2f5fbbad373c
                77e9f66ed45f20e211298306dcb009
                """)
        ),
        (
            false,
            bytes(
                """
                1703030044d1db788948b5a52b3db693aae9a8b7cd5170810cf1957db939fc2e26a05ce6f57213fe971819beae12d1a474df
                029c46da82894592a87487fa9f11a60b1dd78ce7fff599
                """)
        ),
        (
            true,
            bytes(
                """
                170303002c0a6874222bd78ca1c2f451f767a611e15b17cacbb6e99a67758e08f58777cff7418a108c122e0375ccb640d3
                """)
        ),
        (
            false,
            bytes(
                """
                17030300138378adcd7008f8d5023f0b8da3a36059741e23
                """)
        ),
        (
            true,
            bytes(
                """
                1703030013888d632e03035bbb3bede3f2c6eafec3c8856b
                """)
        ),
    ]

    /// What was inside.
    static let up =
        "GET /a HTTP/1.1\r\nHost: t\r\nCookie: a=b\r\n\r\nPOST /b HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc"
    static let down = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 204 No Content\r\n\r\n"

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }.map(UInt8.init)
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
