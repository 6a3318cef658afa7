import { body, CREDENTIALS, NO_TIME, type TokenPreset } from "./preset.ts";

export const pipedrive: TokenPreset = {
  name: "Pipedrive",
  about: "Deals, persons, organisations, activities.",
  docs: "https://pipedrive.readme.io/docs/guide-for-webhooks-v2",
  token: { in: "basic" },
  secret: CREDENTIALS,
  place: "Open Tools and apps, Webhooks, Create new webhook in the settings",
  eventType: [body("meta.action")],
  replay: NO_TIME,
  limits:
    "Requests are not signed: the password is all that proves the sender. Events have no id that is the same for each try.",
  sample: {
    body: { meta: { action: "create", entity: "deal" }, data: { id: 1, title: "New deal" } },
  },
};
