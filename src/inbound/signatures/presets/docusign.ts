import { body, type HmacPreset, NO_TIME, PLAIN, shownFirst } from "./preset.ts";

// https://developers.docusign.com/platform/webhooks/connect/hmac/
export const docusign: HmacPreset = {
  name: "DocuSign",
  about: "Envelopes that are sent, signed or declined (Connect).",
  docs: "https://developers.docusign.com/platform/webhooks/connect/",
  scheme: { ...PLAIN, header: "X-DocuSign-Signature-1", encoding: "base64" },
  secret: shownFirst("HMAC key", "Created under Settings, Connect, Connect Keys."),
  steps: [
    "In DocuSign’s settings open Connect, add a custom configuration in the format JSON and paste the URL.",
    "Switch on “Include HMAC Signature”.",
  ],
  eventType: [body("event")],
  replay: NO_TIME,
  limits: "Events have no id. With several keys only the signature of the first one is read.",
  sample: {
    body: {
      event: "envelope-completed",
      apiVersion: "v2.1",
      generatedDateTime: "2026-01-31T09:30:00.000Z",
      data: { accountId: "a1", envelopeId: "e1" },
    },
  },
};
