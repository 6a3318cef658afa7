import { CLOUDEVENTS } from "./handshake.ts";
import { body, header, tokenPreset } from "./preset.ts";

export const cloudevents = tokenPreset({
  name: "CloudEvents",
  docs: "https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md",
  token: { in: "header", name: "Authorization" },
  place: "Open the settings of the sender",
  note: "It sends the token as a Bearer token. A sender that asks for permission by OPTIONS gets it.",
  eventType: [header("ce-type"), body("type")],
  handshakes: [CLOUDEVENTS],
  limits:
    "Requests are not signed. The event id is ce-id together with ce-source; in structured mode it is the id together with a hash of the body.",
  sample: {
    headers: {
      "ce-specversion": "1.0",
      "ce-type": "com.example.order.paid",
      "ce-source": "/shop",
      "ce-id": "{{id}}",
    },
    body: { order: 1007 },
  },
});
