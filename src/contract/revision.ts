import * as z from "zod";
import { type By, by } from "./actor.ts";
import { closed, matching, open, recordTimes, textUpTo, timestamp } from "./fields.ts";

/** The name of a thing that is kept in a file: unique among the things of its kind in an account. */
export const externalId = matching(
  /^[a-z0-9._-]{1,100}$/,
  "must be 1 to 100 of a-z, 0-9, `.`, `_` and `-`",
).describe("A name of your own, unique in the account: 1 to 100 of a-z, 0-9, `.`, `_` and `-`.");

const commit = textUpTo(100).describe("The commit of the files.");
const kind = z.literal("files").describe("Files, as `prompthook apply` reads them.");

/** What keeps the settings, as a body names it. */
const managedByBody = closed({ kind, commit: commit.optional() })
  .nullable()
  .describe("What keeps the settings; null if people change them by hand.");

/** The revision of a draft that is not stamped yet. */
const THIS_REVISION = 0;

/** What keeps the settings, and the revision that it wrote: a later one was made by hand. */
export const managedBy = open({
  kind,
  commit: commit.optional(),
  revision: z.int().describe("The revision that the files made. A later one was made by hand."),
})
  .nullable()
  .describe("What keeps the settings; null if people change them by hand.");
export type ManagedBy = z.infer<typeof managedBy>;

/** The identity of a thing that files may keep, as records show it. */
export const identity = { externalId: externalId.nullable(), managedBy };
/** The same as it is stored: what older code stored has none. */
export const storedIdentity = open({
  externalId: externalId.nullable().default(null),
  managedBy: managedBy.default(null),
});
export type StoredIdentity = z.infer<typeof storedIdentity>;
/** The same in bodies: what is left out stays. */
export const identityBody = {
  externalId: externalId.nullish(),
  managedBy: managedByBody.optional(),
};
export type IdentityBody = z.infer<z.ZodObject<typeof identityBody>>;

/** Returns an identity after a change; files that are named wrote the revision that is being made. */
export function withIdentity(
  before: StoredIdentity,
  { externalId: given, managedBy: by }: IdentityBody,
): StoredIdentity {
  return {
    externalId: given === undefined ? before.externalId : given,
    managedBy: by === undefined ? before.managedBy : by && { ...by, revision: THIS_REVISION },
  };
}

/** Returns an identity whose files wrote `revision`, if they wrote the one that was being made. */
export function stamped(
  { externalId: id, managedBy: by }: StoredIdentity,
  revision: number,
): StoredIdentity {
  const isNew = by?.revision === THIS_REVISION;
  return { externalId: id, managedBy: isNew ? { ...by, revision } : by };
}

/** Returns whether the name, or the revision that files wrote, is another one. A commit alone is no change. */
export function isIdentityChanged(before: StoredIdentity, after: StoredIdentity): boolean {
  return (
    before.externalId !== after.externalId ||
    before.managedBy?.revision !== after.managedBy?.revision
  );
}

/** Earlier revisions that a workflow or an endpoint keeps. */
export const KEPT_REVISIONS = 50;

export const revision = z.int().min(1).describe("The revision of its settings, from 1.");

/** What records show of the settings that they have. */
export const revisedFields = { revision, ...identity, ...recordTimes };

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
/** Stands for the stamps of settings that are compared without them. */
export const NO_STAMP = revisionStamp.parse({});

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
