import { repeating } from "./handshake.ts";
import { body, tokenPreset } from "./preset.ts";

// https://learn.microsoft.com/graph/change-notifications-delivery-webhooks: the clientState of the
// subscription in every notification
export const microsoftGraph = tokenPreset({
  name: "Microsoft Graph",
  docs: "https://learn.microsoft.com/graph/change-notifications-delivery-webhooks",
  token: { in: "body", name: "value[*].clientState" },
  place: "Create a subscription by POST https://graph.microsoft.com/v1.0/subscriptions",
  note: "The token is its clientState. Graph checks the URL at once; Prompthook answers.",
  split: "value",
  eventType: [body("value[0].changeType"), body("value[0].lifecycleEvent")],
  // https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
  handshakes: [repeating("POST", "validationToken")],
  limits:
    "Requests are not signed: the clientState is all that proves the sender. Encrypted resource data is not decrypted. The items of its batches have no id.",
  sample: {
    body: {
      value: [{ subscriptionId: "s1", changeType: "created", resource: "users/1/messages/2" }],
    },
  },
});
