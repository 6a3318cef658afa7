/** A self-signed certificate, in place of Amazon's. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDGzCCAgOgAwIBAgIUC48tbS94S/1KRhF5Da8NJQC/L1swDQYJKoZIhvcNAQEL
BQAwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wIBcNMjYxMTIyMjMwNzU4
WhgPMjEyNjEwMjkyMzA3NThaMBwxGjAYBgNVBAMMEXNucy5hbWF6b25hd3MuY29t
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwbA3uenDAujHzgd6R/4S
lz++/Yu7CUUAx7CM4JIrwiN5r/BJUZWEPJnOdyhFhIUe3SM/K0ww/WpsrnU8Ie/l
hd3eywOuUeKRWGy3GthqHKuL08jviuEGptIBxLOp42y8oZFCKq1mlO30Teokh8oI
vxDDWPeTCRKFq1OXObu1LAPC5pHQWTa6A1mlyJfg48cEIbMyCQHkkq8rt6DudU2x
A/1y1fPOhLVOVieZIGrRccurbzcIjSx2IQDtYj//7trQ5GKvTWBY21MWlTicE4im
stmQWGI9atLTOzuALHDkvoO9PmfBJLD3g+nGKsMgyDY6pJhlGH88hKlVz13k60xU
bQIDAQABo1MwUTAdBgNVHQ4EFgQUrH5IzI+4P7nsOmKwsgB6F1PQKg0wHwYDVR0j
BBgwFoAUrH5IzI+4P7nsOmKwsgB6F1PQKg0wDwYDVR0TAQH/BAUwAwEB/zANBgkq
hkiG9w0BAQsFAAOCAQEAVCBttvOwV8VlEcRGVwcDqaEcF2dtdFSMnYTUSywuBk3x
a2KSHAL32oMI6H9TiKvzoChbwF8vIK9Q+1/IKFwKZsSwDoSBNh6+rx9ew3fFhKke
ep/ARIaNLN5a4IuLrTFHwUmx16fDKanggVb4LEDzSoh7Mbifrbd/xtjB/Uu/jbIt
Np5oYmuPapkUCm8madyYXc+uZhqLkFROe6JG/qINLn8mu+2rzUxhaseHYDwpxMZd
ywRrc/5g6ytxd5l8lV5d2Xc5L0dpU6rURGOQNPJPwj+Ze6J2FB27gdozebyuObSf
XFW3S87yho3bQgryTONU4RcXWmXNMUR9RUknae4q2g==
-----END CERTIFICATE-----`;

/** A notification without a subject, as Amazon SNS documents it. */
export const NOTIFICATION = {
  Type: "Notification",
  MessageId: "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
  TopicArn: "arn:aws:sns:us-west-2:123456789012:MyTopic",
  Message: "test message",
  Timestamp: "2026-11-18T11:06:40.000Z",
  SigningCertURL:
    "https://sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem",
};

/** Its signatures with the certificate's key, by `SignatureVersion`. */
export const SIGNATURES = {
  "1": "N+pve9AwkZb8Qf5KB28C6flYMVNHAUa1yxDPhXDSeKDC2/snPVwY9LeMJNTtBdqBYrWiM+pTWhlc3JALJ/1JEK4uvDsFQIZf9yY0wWeTSBil+Dt6ijNFBvtosh+5hVnhocCeYtFK5EMGUpmXAcDiHTLOgEhww4Wtj0PdEqagNa3W7bLZGnDBIwwoeDGZAJcV6rUEC/aa8M43jOZy/aAISR9arruAvr170WsY8WSzPez82sHQTPequHucEq8iA7CDvHl1yJ6n59hhqyIgJZ+qVxwZ76tyE5Jg/xtqx8Oc+dtBQNvP35atTU3q0ZsrP/zlk3OU8MEC06X4aSmiidAzrA==",
  "2": "lXEyfsCwx/n4qfnOcKx8t5fbbJL9AEVUWP6ckP1ImB5UJ34dx+vKFmaLSQdgXWYKgJsxyOm6sgFwwY5vJ5DfPsFla/zD7dLHihrs5HAArB3+9AAx4k1rhSLEsA/nHfj1cEwNltZ3o2QM6WpPUGhQVb++HX4XGhn08ul/5fxzEJAkswI8tDoF3gqFKUv/P3nyiLe1mJftApNsiucyPhhyJT5kYVlP7drM1QQAl0pJWiNqorkD8jrV/IH/zDA63NZRmxiYAktapGNt9VWfC2ZtQuOQJ/xqNpgLH3SF+CLo1GDZND7ui0c89mZkozaZQMDyFQ6cO46BOHltz+zm1sF72g==",
};
