import { sentBySvix } from "./svix.ts";

// https://clerk.com/docs/webhooks/overview: Clerk sends by Svix.
export const clerk = sentBySvix({
  name: "Clerk",
  docs: "https://clerk.com/docs/webhooks/overview",
  place: "Open Configure, Webhooks, Add Endpoint in the Clerk Dashboard",
  sample: {
    body: { type: "user.created", data: { id: "user_1", first_name: "Jane", last_name: "Doe" } },
  },
});
