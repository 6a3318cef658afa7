import * as z from "zod";
import { closed, open, textUpTo } from "./fields.ts";

/** The name of a thing that is kept in a file: unique among the things of its kind in an account. */
export const externalId = z
  .string()
  .regex(/^[a-z0-9._-]{1,100}$/, "must be 1 to 100 of a-z, 0-9, `.`, `_` and `-`")
  .describe("A name of your own, unique in the account: 1 to 100 of a-z, 0-9, `.`, `_` and `-`.");

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
export interface IdentityBody {
  externalId?: string | null | undefined;
  managedBy?: z.infer<typeof managedByBody> | undefined;
}

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
