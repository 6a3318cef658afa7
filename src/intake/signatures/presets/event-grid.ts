import { CLOUDEVENTS, field, type Handshake, isEcho, jsonAnswer } from "./handshake.ts";
import { body, header, tokenPreset } from "./preset.ts";

// https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema
const validation: Handshake = {
  about: "SubscriptionValidationEvent: answered with its code",
  isAuthenticated: true,
  answer({ payload }) {
    const [event] = Array.isArray(payload) ? payload : [];
    const code = field(field(event, "data"), "validationCode");
    const isValidation =
      field(event, "eventType") === "Microsoft.EventGrid.SubscriptionValidationEvent";
    return isValidation && isEcho(code) ? jsonAnswer({ validationResponse: code }) : null;
  },
};

// https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema and
// https://learn.microsoft.com/azure/event-grid/secure-webhook-delivery: a secret in the query.
export const eventGrid = tokenPreset({
  name: "Azure Event Grid",
  docs: "https://learn.microsoft.com/azure/event-grid/receive-events",
  token: { in: "query", name: "token" },
  place: "Create an event subscription of the topic with the endpoint type Web Hook",
  note: "Put the token at the end of the URL, as ?token=…. Event Grid checks it; Prompthook answers.",
  eventId: [body("[0].id")],
  split: "$",
  eventType: [body("[0].eventType"), body("[0].type"), header("ce-type"), body("type")],
  handshakes: [validation, CLOUDEVENTS],
  limits:
    "Requests are not signed: the token in the URL is all that proves the sender. Tokens of Microsoft Entra ID are not checked.",
  sample: {
    headers: { "aeg-event-type": "Notification" },
    body: {
      id: "{{id}}",
      eventType: "Microsoft.Storage.BlobCreated",
      data: { url: "https://example.com/orders/1.json" },
    },
  },
});
