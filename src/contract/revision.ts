import * as z from "zod";
import { timestamp } from "./fields.ts";
import {
  type IdentityBody,
  type StoredIdentity,
  stamped,
  storedIdentity,
  withIdentity,
} from "./managed.ts";

/** Earlier revisions that a workflow or an endpoint keeps. */
export const KEPT_REVISIONS = 50;

export const revision = z
  .int()
  .min(1)
  .describe("The revision of its settings: 1 at first, and one more with each change.");

/** Which revision settings are, and what keeps them, as they are stored. What older code stored is the first. */
export const revisionStamp = z.object({
  revision: z.int().default(1),
  /** Epoch milliseconds; null if unknown. */
  revisedAt: z.int().nullable().default(null),
  /** The id of the key that made the change; null if unknown. */
  revisedBy: z.string().nullable().default(null),
  ...storedIdentity.shape,
});
export type RevisionStamp = z.infer<typeof revisionStamp>;

/** Returns the stamp of the first revision. */
export function firstRevision(
  now: number,
  keyId: string | null,
  given: IdentityBody = {},
): RevisionStamp {
  const identity = withIdentity(storedIdentity.parse({}), given);
  return { revision: 1, revisedAt: now, revisedBy: keyId, ...stamped(identity, 1) };
}

/** Returns the stamp of settings after a change: another revision only if they differ. */
export function nextRevision(
  { revision: known, revisedAt, revisedBy }: RevisionStamp,
  drafted: StoredIdentity,
  { differs, now, keyId }: { differs: boolean; now: number; keyId: string | null },
): RevisionStamp {
  return differs
    ? { revision: known + 1, revisedAt: now, revisedBy: keyId, ...stamped(drafted, known + 1) }
    : { revision: known, revisedAt, revisedBy, ...stamped(drafted, known) };
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
