import { body, hmacPreset, shownFirst } from "./preset.ts";

/** Each active key of the account signs in a header of its own. */
const signatureHeader = (key: number): string => `X-DocuSign-Signature-${key}`;

// https://developers.docusign.com/platform/webhooks/connect/hmac/
export const docusign = hmacPreset({
  name: "DocuSign",
  docs: "https://developers.docusign.com/platform/webhooks/connect/",
  scheme: {
    header: signatureHeader(1),
    furtherHeaders: [2, 3, 4, 5, 6, 7, 8, 9, 10].map(signatureHeader),
    encoding: "base64",
  },
  secret: shownFirst("HMAC key", "Created under Settings, Connect, Connect Keys."),
  place: "Open Settings, Connect and add a custom configuration in JSON",
  note: "Switch on “Include HMAC Signature”.",
  eventType: [body("event")],
  limits: "Events have no id.",
  sample: { body: { event: "envelope-completed", data: { accountId: "a1", envelopeId: "e1" } } },
});
