// Examples of RFC 7515 appendix A.

@testable import Tokens

enum Vectors {
    static let claims = Array("{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}".utf8)

    /// The secret of A.1 as a JWK has it.
    static let secret = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"

    /// The modulus of A.2; the exponent is AQAB.
    static let modulus =
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-"
        + "pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2"
        + "R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PA"
        + "cDTW9gb54h4FRWyuXpoQ"

    /// The keys of A.1 to A.3: a secret has no place among public keys.
    static func keys() throws(JWTKeyError) -> [JWTKey] {
        let secrets = #"{"keys":[{"kty":"oct","k":"\#(secret)"}]}"#
        return try JWTKeySet.keys(ofJWKS: Array(secrets.utf8)) + JWTKeySet.keys(ofJWKS: Array(jwks.utf8))
    }

    static let jwks = """
        {"keys":[{"kty":"RSA","n":"\(modulus)","e":"AQAB"},{"kty":"EC","crv":"P-256",
        "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
        """

    private static let payload =
        ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."

    static let hs256 =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9" + payload + "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    static let rs256 =
        "eyJhbGciOiJSUzI1NiJ9" + payload
        + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CU"
        + "Ar7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_d"
        + "O--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0ig"
        + "cN_IoypGlUPQGe77Rw"

    static let es256 =
        "eyJhbGciOiJFUzI1NiJ9" + payload
        + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    /// RFC 8037 appendix A.4: a signature by the key of A.1, over a text that is no claims.
    static let edDSA = (
        signed: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
        signature: "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
    )

    /// The private key of RFC 8037 appendix A.1 as RFC 8410 has it: a frame of 16 bytes, and its `d`.
    static let edwardsPEM = Base64URL.bytes(Array("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A".utf8)).map { secret in
        let frame: [UInt8] = [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20]
        let text = Base64URL.text(frame + secret).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return "-----BEGIN PRIVATE KEY-----\n\(String(text))\n-----END PRIVATE KEY-----\n"
    }

    /// RFC 7519 section 6.1.
    static let unsecured = "eyJhbGciOiJub25lIn0" + payload
}
