import { body, HOUR, keyPreset, shownFirst } from "./preset.ts";

/** Apple Root CA - G3, of https://www.apple.com/certificateauthority/. */
const ROOT = `-----BEGIN CERTIFICATE-----
MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwS
QXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9u
IEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcN
MTQwNDMwMTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBS
b290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24gQXV0aG9y
aXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49
AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtf
TjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517
IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySr
MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gA
MGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4
at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM
6BgD56KyKA==
-----END CERTIFICATE-----
`;

// https://developer.apple.com/documentation/appstoreservernotifications/responsebodyv2 and verifyJWT() of
// @apple/app-store-server-library: a JWS whose certificates lead to Apple's root, by the intermediate of
// Worldwide Developer Relations. Retries, over six days, may repeat the time of the first attempt.
export const appStore = keyPreset({
  name: "App Store",
  docs: "https://developer.apple.com/documentation/appstoreservernotifications",
  scheme: {
    algorithm: "jwt",
    in: "body",
    header: "signedPayload",
    prefix: "",
    certificates: { leaf: "1.2.840.113635.100.6.11.1", issuer: "1.2.840.113635.100.6.2.1" },
    maxAgeSeconds: null,
  },
  publicKey: ROOT,
  audience: {
    name: "bundle id",
    paths: [
      "data.bundleId",
      "summary.bundleId",
      "externalPurchaseToken.bundleId",
      "appData.bundleId",
    ],
    isRequired: true,
  },
  secret: shownFirst("Bundle id", "Of your app, such as com.example.app."),
  place: "Open App Information, App Store Server Notifications of the app",
  note: "Choose version 2, and set auth.signature.audience to the bundle id of the app.",
  eventId: [body("notificationUUID")],
  eventType: [body("notificationType")],
  replay: { time: body("signedDate"), toleranceSeconds: 7 * 24 * HOUR },
  limits:
    "Transactions within the payload are tokens of their own, which are not opened. Sandbox and production differ by data.environment. Revoked certificates are not recognised.",
  sample: { body: { signedPayload: "" } },
});
