import * as z from "zod";

/** What is shown of a secret that is kept. */
export const shownSecret = z
  .object({
    set: z.literal(true).describe("There is one."),
    last4: z.string().describe("Its last four characters; empty for a short one."),
  })
  .meta({ id: "ShownSecret", description: "A secret that is kept; it is never shown again." });
