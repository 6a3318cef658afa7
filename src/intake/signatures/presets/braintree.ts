import { hmacPreset, shownFirst } from "./preset.ts";

// https://developer.paypal.com/braintree/docs/guides/webhooks/parse and validateSignature() of the library
// braintree: pairs of a public key and a signature, and the SHA-1 of the private key as the key.
export const braintree = hmacPreset({
  name: "Braintree",
  docs: "https://developer.paypal.com/braintree/docs/guides/webhooks/overview",
  scheme: {
    in: "body",
    header: "bt_signature",
    form: "items",
    algorithm: "sha1",
    template: "{body.bt_payload}",
    alternatives: ["{body.bt_payload}\n"],
    secretEncoding: "sha1",
  },
  secret: shownFirst("Private key", "Of your API keys, in the Control Panel under API."),
  place: "Open API, Webhooks, Create new webhook in the Control Panel",
  limits:
    "Notifications have no id, and are XML in base64, in the field bt_payload. Kind and time are within.",
  sample: {
    body: { bt_signature: "", bt_payload: "PG5vdGlmaWNhdGlvbj48L25vdGlmaWNhdGlvbj4=" },
    isForm: true,
  },
});
