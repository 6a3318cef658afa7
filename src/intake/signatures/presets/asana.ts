import { body, type HmacPreset, NO_TIME, PLAIN } from "./preset.ts";

// https://developers.asana.com/docs/webhooks-guide: X-Hook-Secret of the handshake is the key.
export const asana: HmacPreset = {
  name: "Asana",
  about: "Changes of tasks, projects and portfolios.",
  docs: "https://developers.asana.com/docs/webhooks-guide",
  scheme: { ...PLAIN, header: "X-Hook-Signature" },
  secret: { by: "us", hint: "Leave empty: Asana chooses it in the handshake." },
  steps: [
    "Create a webhook by POST https://app.asana.com/api/1.0/webhooks with the resource and the URL as target.",
    "Asana calls the URL with X-Hook-Secret. The endpoint answers and stores the secret, once.",
  ],
  eventType: [body("events[0].action")],
  replay: NO_TIME,
  challenges: ["asana"],
  limits: "Requests hold batches of events without an id, and name only what changed.",
  sample: {
    body: {
      events: [
        {
          action: "changed",
          resource: { gid: "1337", resource_type: "task" },
          parent: null,
          created_at: "2026-01-31T09:30:00.000Z",
        },
      ],
    },
  },
};
