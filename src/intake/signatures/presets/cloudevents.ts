import { CLOUDEVENTS } from "./handshake.ts";
import { body, header, NO_TIME, OURS, type TokenPreset } from "./preset.ts";

export const cloudevents: TokenPreset = {
  name: "CloudEvents",
  about: "Any sender of CloudEvents over HTTP, in binary or structured mode.",
  docs: "https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md",
  token: { in: "header", name: "Authorization" },
  secret: OURS,
  place: "Open the settings of the sender",
  note: "It sends the token as a Bearer token. A sender that asks for permission by OPTIONS gets it.",
  eventType: [header("ce-type"), body("type")],
  replay: NO_TIME,
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
};
