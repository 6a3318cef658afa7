import * as z from "zod";

/** What the sender of a webhook is answered when it was taken in. */
export const hookAnswer = z
  .object({
    requestId: z.uuid().describe("Names the request in the endpoint's log."),
    status: z.enum(["accepted", "queued", "duplicate"]).meta({
      description:
        "`queued`: held until a workflow is attached. `duplicate`: the event came before, and this one starts nothing.",
    }),
    executionId: z
      .uuid()
      .nullable()
      .meta({ description: "Of a duplicate, the execution that the first one started." }),
    duplicate: z.boolean().describe("Whether the event came before."),
  })
  .meta({ id: "WebhookAnswer" });
export type HookAnswer = z.infer<typeof hookAnswer>;
