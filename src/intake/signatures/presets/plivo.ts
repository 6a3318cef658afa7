import { body, hmacPreset, SIGNED_URL, shownFirst } from "./preset.ts";

// https://www.plivo.com/docs/voice/concepts/signature-validation and validateV3Signature() of the library
// plivo: the URL with the sorted fields of query and form, then the nonce. Several signatures are separated
// by commas; the header with Ma is signed with the token of the main account.
export const plivo = hmacPreset({
  name: "Plivo",
  docs: "https://www.plivo.com/docs/voice/concepts/signature-validation",
  scheme: {
    header: "X-Plivo-Signature-V3",
    furtherHeaders: ["X-Plivo-Signature-Ma-V3"],
    form: "items",
    encoding: "base64",
    template: "{sortedUrl}.{id}",
    idHeader: "X-Plivo-Signature-V3-Nonce",
  },
  secret: shownFirst("Auth token", "On the overview of the Plivo console."),
  place: "Open the application, or the number, that events come from in the console",
  note: `${SIGNED_URL} Choose the method POST.`,
  eventType: [body("Event"), body("Status")],
  limits: "Requests have no id. The answer is no Plivo XML, so Plivo says nothing to the caller.",
  sample: {
    body: { CallUUID: "{{id}}", From: "15550100", To: "15550101", Event: "Hangup" },
    isForm: true,
  },
});
