// Keys made for these tests by openssl; nothing else knows them.

enum SampleKeys {
    static let secret = "correct horse battery staple, thrice"

    /// A PEM file without its frame.
    static func bareText(_ pem: String) -> String {
        pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined(separator: "\n")
    }

    static let rsaPrivate = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDqzgwZg5sVTP3M
        Cll6G1BRso/tVLfsU8x6LFM2ChlCHuUgT1z1y/YmCqM7CXtT3uiq4g422EOf31eY
        DMlgrwsXmhpATAXyaMS/zPniIz6OQPhkfK+uy8h0SauB6Aik9I8u3iC+mkGn3WZW
        /s9bX3cTx8MOT+hXeDNK6G7HmwLgenLxIaO1ExwJZuwRRvsP+A7ObL4HhKBa4riA
        iM4RL8JMRj7bWoEuzm5xExaxCnwa+DQM/4dLk2BnSEV4eqqGeh2tfXQKE7UvbVPi
        pnqOn69swrZ/RxRCvkFszPpQPcPQCTqqcJf0JNU6gPEmJy8kJ/QQyvAY8G1yiK59
        jWZqHlwbAgMBAAECggEAAPl+TIL1t88LkwC7xaN5pL12WNdMFfx98d9avp5ve2c9
        KmjQcCqXKyn0/b8g+gIfpRC+4CxAspDwENv/isuBklXu31S+fHa9RIsNiVrq8kY+
        31GuIc9vR4s/ZwKKOllYZt8Cc78wH/JDI+g5ef8AruoYEb22Y4TsoNZIGj6fVh6f
        4VTnse5af0aSSbX56mjNVzbJx9FqQc7RpGnqd/jebWHKUtFEriRyMNXnvqmE54Ow
        lB7eoHxjitgLKqsVEeav1yDga/lOXrQLGJA+vaZNTFIoTrwzGUWef/HoKNh2HBQg
        3Tl4CUhNNp8dQoyaP6F1YCdKRz+oTe+NEEP+5t+xgQKBgQD/hL6ZqZODVIJIPNnD
        VjK9L1B/049Q7bqlRWRQJ8b0PnuW0poHQHosGaTo3Br+oPGpEs+1j9hTO5o6c7VR
        DR2WXbzRFLpee7LGeJXect4hIjQX8SIGzYh44eJdx9if7JShFDYZEG8g7olc20hA
        afX8Qudyu/qRE4odCk5oF79qgQKBgQDrP0+d4lKYYDumgmxZZk/us9DEdJs5U7W5
        gHf+3MUp1nHS+tzMiWOl9NZA0S8ge+x81HgRxx0gimhEzVwI0L9ui76etQ08+C4v
        OFFvOdBiSriNXiQpyackDJBpCho97FQvd3xazbYb7SEVEirh49PZz1GPOaRaM2LZ
        fu/ROAjgmwKBgB5/K3iPosmT9pDEooEL8rZdxU/cYkiYdyRuqdBfTwGry3hu3m9r
        JKnKzcH1M0uczfsOAbh72Kfmfzvmv4dS92sQ+Q5DWRMZ1HaXwdtw/k4aFPmekB8b
        vOQgobHrvlEoHX00Oli3e2wEzGRGz9LQUsmu+ozZHsjd+igJKN6HpxMBAoGBAKaQ
        rkvJCthPEw1DvXnTQnduJDxln96IUdxlhREUuhl0eCV9cEb2ZHMGF4nPU0H53KlK
        OzXDOPFobomAqlCnlVOtaKuw4A2yX+kZRDevxMdDxsZ5yLs5x7lzl/B3sbr0kWsG
        fCtDClVdohXsRiapDMBk1YfGtYMUbUI4aY9G0KpPAoGAVqlpZgIoq6KKSFaEDH6E
        ERnu21yMqtIA/Gt5IMwyh2BJ1OxaYwLjLsHJqKEnWZyvsMDpqHofNyNgRjtoSCL3
        ZbtMhuETFOyaVVBaym64KRT2EDWQ4HglFiI2ipfDpptjbqMUQbPkKt4f52W6jPlf
        tWGGG8KyTunTS7eG8XD8sZg=
        -----END PRIVATE KEY-----

        """

    static let rsaTraditional = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEowIBAAKCAQEA6s4MGYObFUz9zApZehtQUbKP7VS37FPMeixTNgoZQh7lIE9c
        9cv2JgqjOwl7U97oquIONthDn99XmAzJYK8LF5oaQEwF8mjEv8z54iM+jkD4ZHyv
        rsvIdEmrgegIpPSPLt4gvppBp91mVv7PW193E8fDDk/oV3gzSuhux5sC4Hpy8SGj
        tRMcCWbsEUb7D/gOzmy+B4SgWuK4gIjOES/CTEY+21qBLs5ucRMWsQp8Gvg0DP+H
        S5NgZ0hFeHqqhnodrX10ChO1L21T4qZ6jp+vbMK2f0cUQr5BbMz6UD3D0Ak6qnCX
        9CTVOoDxJicvJCf0EMrwGPBtcoiufY1mah5cGwIDAQABAoIBAAD5fkyC9bfPC5MA
        u8WjeaS9dljXTBX8ffHfWr6eb3tnPSpo0HAqlysp9P2/IPoCH6UQvuAsQLKQ8BDb
        /4rLgZJV7t9Uvnx2vUSLDYla6vJGPt9RriHPb0eLP2cCijpZWGbfAnO/MB/yQyPo
        OXn/AK7qGBG9tmOE7KDWSBo+n1Yen+FU57HuWn9Gkkm1+epozVc2ycfRakHO0aRp
        6nf43m1hylLRRK4kcjDV576phOeDsJQe3qB8Y4rYCyqrFRHmr9cg4Gv5Tl60CxiQ
        Pr2mTUxSKE68MxlFnn/x6CjYdhwUIN05eAlITTafHUKMmj+hdWAnSkc/qE3vjRBD
        /ubfsYECgYEA/4S+mamTg1SCSDzZw1YyvS9Qf9OPUO26pUVkUCfG9D57ltKaB0B6
        LBmk6Nwa/qDxqRLPtY/YUzuaOnO1UQ0dll280RS6XnuyxniV3nLeISI0F/EiBs2I
        eOHiXcfYn+yUoRQ2GRBvIO6JXNtIQGn1/ELncrv6kROKHQpOaBe/aoECgYEA6z9P
        neJSmGA7poJsWWZP7rPQxHSbOVO1uYB3/tzFKdZx0vrczIljpfTWQNEvIHvsfNR4
        EccdIIpoRM1cCNC/bou+nrUNPPguLzhRbznQYkq4jV4kKcmnJAyQaQoaPexUL3d8
        Ws22G+0hFRIq4ePT2c9RjzmkWjNi2X7v0TgI4JsCgYAefyt4j6LJk/aQxKKBC/K2
        XcVP3GJImHckbqnQX08Bq8t4bt5vaySpys3B9TNLnM37DgG4e9in5n875r+HUvdr
        EPkOQ1kTGdR2l8HbcP5OGhT5npAfG7zkIKGx675RKB19NDpYt3tsBMxkRs/S0FLJ
        rvqM2R7I3fooCSjeh6cTAQKBgQCmkK5LyQrYTxMNQ71500J3biQ8ZZ/eiFHcZYUR
        FLoZdHglfXBG9mRzBheJz1NB+dypSjs1wzjxaG6JgKpQp5VTrWirsOANsl/pGUQ3
        r8THQ8bGeci7Oce5c5fwd7G69JFrBnwrQwpVXaIV7EYmqQzAZNWHxrWDFG1COGmP
        RtCqTwKBgFapaWYCKKuiikhWhAx+hBEZ7ttcjKrSAPxreSDMModgSdTsWmMC4y7B
        yaihJ1mcr7DA6ah6HzcjYEY7aEgi92W7TIbhExTsmlVQWspuuCkU9hA1kOB4JRYi
        NoqXw6abY26jFEGz5CreH+dluoz5X7VhhhvCsk7p00u3hvFw/LGY
        -----END RSA PRIVATE KEY-----

        """

    static let rsaPublic = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6s4MGYObFUz9zApZehtQ
        UbKP7VS37FPMeixTNgoZQh7lIE9c9cv2JgqjOwl7U97oquIONthDn99XmAzJYK8L
        F5oaQEwF8mjEv8z54iM+jkD4ZHyvrsvIdEmrgegIpPSPLt4gvppBp91mVv7PW193
        E8fDDk/oV3gzSuhux5sC4Hpy8SGjtRMcCWbsEUb7D/gOzmy+B4SgWuK4gIjOES/C
        TEY+21qBLs5ucRMWsQp8Gvg0DP+HS5NgZ0hFeHqqhnodrX10ChO1L21T4qZ6jp+v
        bMK2f0cUQr5BbMz6UD3D0Ak6qnCX9CTVOoDxJicvJCf0EMrwGPBtcoiufY1mah5c
        GwIDAQAB
        -----END PUBLIC KEY-----

        """

    static let rsaShort = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDWZ+57XKgSrTBhrKhbyh93Ob8Z
        Vi/acDK2wFZiQ7xoHVXLgpPQrf9kwulu1rGykCeKzPw9ThsjkoZwnWOUgs9DMZl1
        jwDOlvK2qwTNdccljJUnPmZyghwtKy4BjyOQ/ljE9395adg8Nk8VKTOU1x5ATMgA
        pBnZLqSzXDy9YtC+fwIDAQAB
        -----END PUBLIC KEY-----

        """

    static let rsaPSS = """
        -----BEGIN PUBLIC KEY-----
        MIIBIDALBgkqhkiG9w0BAQoDggEPADCCAQoCggEBAOrhdVCsASJb7xIZYS6ouMom
        6PO+6tINwDXjF4sl/HRnySa1Aq9ZLJy1JfQH74s41ZnnIQXdIOpjksP6771kNGAx
        ykcBON2nMZdFdSgSheCANSvR3AJPkY+f6NFx2iPpSABm55Rg53ngxu937p2GmcHq
        /RfdmGzxCDWLhy9e6SE/HDrQYFiPoJTDAaDAnUwxKeg1Edhrm+IhTdvmrIBsCb1u
        yFvLrlUpGjcuv0XNYDC/nrumzV8zY7Nk3Lb1HItZguLdvGiqmD/4fHGu8YupkyEf
        c++vkiTMLoVPmRiIfGekfHwkCyqZ8QMqUiUMHm1mcXjQmTThcF7FQtbnctiSdR8C
        AwEAAQ==
        -----END PUBLIC KEY-----

        """

    static let ecPrivate = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIJyDrFUDZy43BTp41coeGULSJreTkO3Q6aj+Co0gtF2BoAoGCCqGSM49
        AwEHoUQDQgAE92XEKyb1k3nQHK/Ci8PZAmyKh7KePFBYF77AFDadzycKZ22QqVzR
        oEMLeDfG5hDDU7nTMEGhZif1cmwUiBctxA==
        -----END EC PRIVATE KEY-----

        """

    static let ecPublic = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE92XEKyb1k3nQHK/Ci8PZAmyKh7Ke
        PFBYF77AFDadzycKZ22QqVzRoEMLeDfG5hDDU7nTMEGhZif1cmwUiBctxA==
        -----END PUBLIC KEY-----

        """

    static let ecEncrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhfqGj2lYKnyQICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEE9FyUjwFRUWhsa/MZ/wEmUEgZCW
        il1dPEI1m8RqzZ1zaP0w/YOw9w5yp0qgeiVSIKndhm96LpFA05UO2E+NNlfhowhu
        ECciOFqfzUEcM1eIvG216l/2fY+GCPwDpu1VR4QpMIp8QCGgHR5iwT6vFvTxGZfp
        nuIjUj8hwvL+PcPD5A80Hw+jcHtXEeJFRxw92qKMinzoieMMd3lAh9hxyH8+fz4=
        -----END ENCRYPTED PRIVATE KEY-----

        """

    static let p384Public = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEnyn63tT4huwIFyOWzjYvy+e9JsN17btS
        lPnB/Ua32FVJHJaKx1K6Pn4SJxTmmMFJQoX0Lli27gzFi2aS80hVDKNS0oIoNkxt
        Oju94Xivj459vMHxbsS7+nqc5O7qtmkb
        -----END PUBLIC KEY-----

        """

    static let koblitzPublic = """
        -----BEGIN PUBLIC KEY-----
        MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEz4nVnnlLc2Mw+JTbbtQxyIOFoDshQdHc
        p6aGiR0bq/oTemvr2WRgUJHWMVynQUhE2JmVFWWdOIIt3WD3Rmb/WA==
        -----END PUBLIC KEY-----

        """

    static let edwardsPrivate = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIPyVq5c9qe6tFeyc0zx+7weaRnbXSsInPwUjnGwi1NiA
        -----END PRIVATE KEY-----

        """

    static let edwardsPublic = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAZYXfkGEUuTBzusm4BXDzIDCwzrpeuaEYPphj/r8W2UM=
        -----END PUBLIC KEY-----

        """

    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIC+TCCAeGgAwIBAgIUWnJg9Cy71QQosDCjopD41LBIMZEwDQYJKoZIhvcNAQEL
        BQAwDDEKMAgGA1UEAwwBYTAeFw0yNjExMjQxOTUwMDBaFw0zNjExMjExOTUwMDBa
        MAwxCjAIBgNVBAMMAWEwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDq
        zgwZg5sVTP3MCll6G1BRso/tVLfsU8x6LFM2ChlCHuUgT1z1y/YmCqM7CXtT3uiq
        4g422EOf31eYDMlgrwsXmhpATAXyaMS/zPniIz6OQPhkfK+uy8h0SauB6Aik9I8u
        3iC+mkGn3WZW/s9bX3cTx8MOT+hXeDNK6G7HmwLgenLxIaO1ExwJZuwRRvsP+A7O
        bL4HhKBa4riAiM4RL8JMRj7bWoEuzm5xExaxCnwa+DQM/4dLk2BnSEV4eqqGeh2t
        fXQKE7UvbVPipnqOn69swrZ/RxRCvkFszPpQPcPQCTqqcJf0JNU6gPEmJy8kJ/QQ
        yvAY8G1yiK59jWZqHlwbAgMBAAGjUzBRMB0GA1UdDgQWBBRVRBlaigUkT24zxmP1
        hrO3nEqCFjAfBgNVHSMEGDAWgBRVRBlaigUkT24zxmP1hrO3nEqCFjAPBgNVHRMB
        Af8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQCSWGcBoyoY2WoL+sj4/Ga6SyMN
        DQ1n/JLQjB/5T0/gE3ZN7Khd3wjGAiZ6Ws7DUp8KpIHD8RBC+LdjxYq6NjVFdGVY
        6Tmv3KSYaktP/OTqgZgzP429GkIDhC68XeyNqO2rOH9gOEOrmd/Zty2JHn1sckg3
        dbmJYEYSGJebL0xZ8wuTwdVUvVsYXLC7zmq3pVSIW7hQ6cugrFkAjNMwSIkQeMzP
        5ZS5qHUVCT2goj9fiATGCY1KeLt7xf2+B5YbtiUUJdj6SCvyoK92V/uv6+fCfnlu
        9HqPGsh7tRVnEsOnXq4f+3x26L9ZvUhaq4KoSTeM0nViBi2HjlHfrvPFjncI
        -----END CERTIFICATE-----

        """
}
