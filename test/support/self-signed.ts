/** A certificate that nobody vouches for, for the tests of TLS. Not a secret: it protects nothing. */

export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMbC7CxI24SqcGCKC
E06aOpyjgZAiPDI/r2zlZqxM9eehRANCAAQkpJ36DHeqce0RlLaa5t9ka1Ult1r9
Ap3cZwnvMleTseJb9LklEEW/k9Gzn6O+c8ybjd98/hM2XrarTVgOvaa5
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUNDX4DKOGnGuv2xB1F0qUqExGP5IwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAzMTgwMloYDzIxMjYxMDI4
MDMxODAyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQkpJ36DHeqce0RlLaa5t9ka1Ult1r9Ap3cZwnvMleTseJb9LklEEW/
k9Gzn6O+c8ybjd98/hM2XrarTVgOvaa5o2kwZzAdBgNVHQ4EFgQUpUhfp1r/c9Q5
ByX0mxgPf2FCAowwHwYDVR0jBBgwFoAUpUhfp1r/c9Q5ByX0mxgPf2FCAowwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAOiuqH6i+a+USoJKAcrwufhgl1twvcAW2CEb6HGnmxX9AiEA2XRNXJKO
PzT7btrYndZDWPGBikqjZ7EQRLLbTvm8uZk=
-----END CERTIFICATE-----`,
} as const;
