import { body, type KeyPreset, SIGNED, SIGNED_TIME, shownFirst } from "./preset.ts";

// https://discord.com/developers/docs/events/webhook-events#setting-up-an-endpoint
export const discord: KeyPreset = {
  name: "Discord",
  about: "Webhook events of your app.",
  docs: "https://discord.com/developers/docs/events/webhook-events",
  scheme: {
    ...SIGNED,
    algorithm: "ed25519",
    header: "X-Signature-Ed25519",
    encoding: "hex",
    template: "{timestamp}{body}",
    timestampHeader: "X-Signature-Timestamp",
  },
  secret: shownFirst(
    "Public key",
    "Of your app in the Developer Portal, on the page General Information.",
  ),
  steps: [
    "In the Developer Portal open your app, then Webhooks, and paste the URL as the endpoint.",
    "Discord checks it at once; Prompthook answers the PING. Switch events on, choose them and save.",
  ],
  eventType: [body("event.type")],
  replay: SIGNED_TIME,
  challenges: ["discord"],
  limits:
    "Events have no id. Interactions expect an answer in Discord’s own form, which this service does not give.",
  sample: {
    body: {
      version: 1,
      application_id: "1234560123453231555",
      type: 1,
      event: {
        type: "APPLICATION_AUTHORIZED",
        timestamp: "2026-01-31T09:30:00.000000",
        data: { user: { id: "1", username: "jane" } },
      },
    },
  },
};
