import { body, type HmacPreset, NO_TIME, OURS, PLAIN } from "./preset.ts";

// https://circleci.com/docs/outbound-webhooks/#validate-webhooks: v1=… among others, with commas.
export const circleci: HmacPreset = {
  name: "CircleCI",
  about: "Workflows and jobs that end.",
  docs: "https://circleci.com/docs/outbound-webhooks/",
  scheme: { ...PLAIN, header: "circleci-signature", form: "pairs", prefix: "v1" },
  secret: OURS,
  place: "Open Project Settings, Webhooks, Add Webhook",
  eventId: [body("id")],
  eventType: [body("type")],
  replay: NO_TIME,
  sample: {
    headers: { "circleci-event-type": "workflow-completed" },
    body: { id: "{{id}}", workflow: { name: "build", status: "success" } },
  },
};
