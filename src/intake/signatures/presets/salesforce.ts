import { EMPTY, type Handshake, hasOnly } from "./handshake.ts";
import { body, type HmacPreset, NO_TIME, PLAIN, shownLater } from "./preset.ts";

// The owner copies the key from the log:
// https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/ens-callback-verification.html
const verification: Handshake = {
  about: "POST of a verificationKey: 200, and shown in the log",
  isAuthenticated: false,
  answer: ({ payload }) => (hasOnly(payload, "callbackId", "verificationKey") ? EMPTY : null),
};

export const salesforce: HmacPreset = {
  name: "Salesforce",
  about: "Marketing Cloud: the Event Notification Service.",
  docs: "https://developer.salesforce.com/docs/marketing/marketing-cloud/guide/ens-notification-signing.html",
  scheme: { ...PLAIN, header: "x-sfmc-ens-signature", encoding: "base64" },
  secret: shownLater("Signature key", "In the response to the callback’s creation, once."),
  place: "Register the URL as a callback by POST /platform/v1/ens-callbacks",
  note: "The log shows the verification key that Salesforce sends: pass it to POST /platform/v1/ens-verify.",
  eventType: [body("[0].eventCategoryType")],
  replay: NO_TIME,
  handshakes: [verification],
  limits:
    "Requests hold batches of events without an id. Outbound messages of other clouds are SOAP, which is not read.",
  sample: {
    body: {
      eventCategoryType: "TransactionalSendEvents.EmailSent",
      compositeId: "{{id}}",
      info: { to: "jane@example.com" },
    },
  },
};
