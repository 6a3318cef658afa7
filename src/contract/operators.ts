import * as z from "zod";
import { accountId, available, label } from "./account.ts";
import { closed } from "./closed.ts";

const requestsPerMinute = z
  .int()
  .min(1)
  .max(10_000_000)
  .describe("Requests to the agent API that are taken per minute.");

/** The body of POST /admin/accounts. */
export const createAccountBody = closed({
  name: label,
  credits: z.int().min(0).max(1_000_000_000_000).describe("What it can spend from the start."),
  requestsPerMinute: requestsPerMinute.optional(),
}).meta({ id: "CreateAccount" });

/** The body of POST /admin/accounts/:accountId/credits. */
export const grantBody = closed({
  amount: z.int().min(1).max(1_000_000_000_000).describe("Credits to be added."),
  note: z.string().min(1).max(500).describe("What for; kept with the grant."),
}).meta({ id: "GrantCredits" });

/** The body of PATCH /admin/accounts/:accountId. */
export const updateAccountBody = closed({
  requestsPerMinute: requestsPerMinute.optional(),
  name: label.optional(),
})
  .refine((body) => Object.keys(body).length > 0, "names nothing to change")
  .meta({ id: "UpdateAccount" });

/** The answer of POST /admin/accounts. */
export const accountCreated = z
  .object({
    accountId,
    name: label,
    availableCredits: available,
    requestsPerMinute: z.int().describe("Its limit for the agent API."),
    apiKey: z.string().meta({ description: "Its first key. Shown only now." }),
    keyId: z.string().describe("Names that key where keys are managed."),
  })
  .meta({ id: "AccountCreated" });
