import * as z from "zod";
import { type By, by } from "./actor.ts";
import { open, timestamp } from "./fields.ts";
import {
  type IdentityBody,
  type StoredIdentity,
  stamped,
  storedIdentity,
  withIdentity,
} from "./managed.ts";

/** Earlier revisions that a workflow or an endpoint keeps. */
export const KEPT_REVISIONS = 50;

export const revision = z.int().min(1).describe("The revision of its settings, from 1.");

/** Which revision settings are, and what keeps them, as they are stored. What older code stored is the first. */
export const revisionStamp = open({
  revision: z.int().default(1),
  /** Epoch milliseconds; null if unknown. */
  revisedAt: z.int().nullable().default(null),
  /** The id of who made the change, as older code reads it; null if unknown. */
  revisedBy: z.string().nullable().default(null),
  by: by.nullable().default(null),
  ...storedIdentity.shape,
});
export type RevisionStamp = z.infer<typeof revisionStamp>;

/** Returns the stamp of the first revision. */
export function firstRevision(now: number, by: By | null, given: IdentityBody = {}): RevisionStamp {
  const identity = withIdentity(storedIdentity.parse({}), given);
  return { revision: 1, ...changeOf(now, by), ...stamped(identity, 1) };
}

/** Returns the stamp of settings after a change: another revision only if they differ. */
export function nextRevision(
  { revision: known, revisedAt, revisedBy, by: reviser }: RevisionStamp,
  drafted: StoredIdentity,
  { differs, now, by }: { differs: boolean; now: number; by: By | null },
): RevisionStamp {
  return differs
    ? { revision: known + 1, ...changeOf(now, by), ...stamped(drafted, known + 1) }
    : { revision: known, revisedAt, revisedBy, by: reviser, ...stamped(drafted, known) };
}

const changeOf = (now: number, by: By | null) => ({
  revisedAt: now,
  revisedBy: by?.id ?? null,
  by,
});

/** Returns who made a change. Older code stored the id of a key alone. */
export function reviserOf({ by, revisedBy }: Pick<RevisionStamp, "by" | "revisedBy">): By | null {
  if (by !== null || revisedBy === null) return by;
  return { kind: "key", id: revisedBy, name: revisedBy };
}

/** The fields of a record that its revisions do not have as content. */
export const NOT_REVISED = {
  revision: true,
  externalId: true,
  managedBy: true,
  createdAt: true,
  updatedAt: true,
} as const;

/** Returns the shape of a revision with this content, as the API shows it. */
export function revisionRecord<Content extends z.ZodType>(content: Content, id: string) {
  return open({
    revision,
    createdAt: timestamp.describe("When the settings became these."),
    by: by.nullable().describe("Who made the change; null if unknown."),
    content,
  }).meta({ id });
}
