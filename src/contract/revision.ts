import * as z from "zod";
import { timestamp } from "./fields.ts";

/** Earlier revisions that a workflow or an endpoint keeps. */
export const KEPT_REVISIONS = 50;

export const revision = z
  .int()
  .min(1)
  .describe("The revision of its settings: 1 at first, and one more with each change.");

/** Which revision settings are, as they are stored. What older code stored is the first. */
export const revisionStamp = z.object({
  revision: z.int().default(1),
  /** Epoch milliseconds; null if unknown. */
  revisedAt: z.int().nullable().default(null),
  /** The id of the key that made the change; null if unknown. */
  revisedBy: z.string().nullable().default(null),
});
export type RevisionStamp = z.infer<typeof revisionStamp>;

/** Returns the stamp of the first revision. */
export function firstRevision(now: number, keyId: string | null): RevisionStamp {
  return { revision: 1, revisedAt: now, revisedBy: keyId };
}

/** Returns the stamp of settings after a change: another revision only if they differ. */
export function nextRevision(
  before: RevisionStamp,
  { differs, now, keyId }: { differs: boolean; now: number; keyId: string | null },
): RevisionStamp {
  const { revision: known, revisedAt, revisedBy } = before;
  return differs
    ? { revision: known + 1, revisedAt: now, revisedBy: keyId }
    : { revision: known, revisedAt, revisedBy };
}

/** Returns the shape of a revision with this content, as the API shows it. */
export function revisionRecord<Content extends z.ZodType>(content: Content, id: string) {
  return z
    .object({
      revision,
      createdAt: timestamp.describe("When the settings became these."),
      changedBy: z
        .string()
        .nullable()
        .meta({ description: "The id of the API key that made the change; null if unknown." }),
      content,
    })
    .meta({ id });
}
