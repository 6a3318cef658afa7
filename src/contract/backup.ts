import * as z from "zod";
import { effect, executionId } from "./execution.ts";
import { closed, listOf, matching, oneOf, open } from "./fields.ts";

/** A part of an account that is copied by itself. */
export const backupPart = matching(
  /^(?:account|records|inbox\/ep_[0-9a-f]{40,42}|host\/\d{1,4})$/,
  "must be account, records, inbox/<endpoint id> or host/<slot>",
).describe("A part: `account`, `records` (rows of D1), `inbox/<endpoint id>` or `host/<slot>`.");

const storedValue = z.union([
  z.string(),
  z.number(),
  z.null(),
  z.strictObject({ base64: z.base64() }),
]);
export type StoredValue = z.infer<typeof storedValue>;

const name = matching(
  /^(?:[A-Z][A-Z0-9_]*\.)?[a-z][a-z0-9_]{0,63}$/,
  "must be a name in lower case",
);

/** Rows of one table. */
const tableRows = z.strictObject({
  table: name,
  columns: listOf(name, 100, 1),
  rows: listOf(listOf(storedValue)),
});
export type TableRows = z.infer<typeof tableRows>;

export const backupPage = closed({
  part: backupPart,
  schema: z.int().min(0).describe("The steps of its schema; 0 if it stored nothing."),
  tables: listOf(tableRows).describe("The rows as stored, secrets sealed; bytes as `{base64}`."),
}).meta({ id: "BackupPage" });
export type BackupPage = z.infer<typeof backupPage>;

/** The response of GET /admin/accounts/:accountId/backup. */
export const backupPlan = open({
  parts: listOf(backupPart).describe("The parts, in the order in which to copy them."),
  keys: listOf(z.string()).describe("The fingerprints of `ENCRYPTION_KEY` and `ID_KEY`."),
}).meta({ id: "BackupPlan" });

/** The response of GET /admin/accounts/:accountId/backup/page. */
export const copiedPage = open({
  page: backupPage.describe("Rows of the part."),
  nextCursor: z.string().nullable().describe("The cursor of the part's next page, or null."),
}).meta({ id: "CopiedPage" });

/** The body of POST /admin/accounts/:accountId/restore. */
export const restoreBody = closed({
  backupId: z.uuid().describe("The same for all pages of one backup."),
  keys: backupPlan.shape.keys,
  page: backupPage.describe("The page, as it was copied."),
}).meta({ id: "RestorePage" });

/** The body of POST /admin/accounts/:accountId/restore/open. */
export const openBody = closed({ part: backupPart }).meta({ id: "OpenPart" });

/** A page of an object, or why there is none: the object has changed since its first page. */
export type CopyReply =
  | { kind: "page"; schema: number; tables: TableRows[]; next: string | null }
  | { kind: "changed" };

/** What an object makes of a page: it was in use before, has other tables, or knows only an older schema. */
export type RestoreReply = "restored" | "in_use" | "unfit" | "newer";

/** An effect that an execution had after the time to which its account went back. */
export const keptEffect = effect
  .pick({ effectId: true, tool: true, target: true, state: true, at: true })
  .extend({ executionId, cause: z.string().default("").describe("What started it.") })
  .meta({ id: "KeptEffect" });
export type KeptEffect = z.infer<typeof keptEffect>;

/** The body of POST /admin/accounts/:accountId/time-travel. */
export const timeTravelBody = closed({
  to: z.iso.datetime({ offset: true }).describe("The time to go back to, within the last 30 days."),
  dryRun: z.boolean().default(true).describe("Whether to only report what would happen."),
}).meta({ id: "TimeTravel" });

/** The response of POST /admin/accounts/:accountId/time-travel. */
export const timeTravelled = open({
  dryRun: z.boolean().describe("Whether nothing was changed."),
  parts: listOf(
    open({
      part: backupPart,
      state: oneOf("ready", "restored", "refused").describe("`refused`: the part is unchanged."),
      reason: z.string().nullable(),
    }),
  ).describe("The account, its endpoints and the hosts of its executions."),
  effects: listOf(keptEffect).describe(
    "The effects that are not repeated: with `dryRun`, those of this request, else also those of earlier ones.",
  ),
}).meta({ id: "TimeTravelled" });

/** How an object can go back in time: the effects that it had since then, or why it cannot. */
export type GoBackReply =
  | { kind: "ready"; effects: KeptEffect[] }
  | { kind: "refused"; reason: string };

/** The part of each object's interface that backups use. */
export interface Copied {
  /** Returns the rows after a cursor, all of one moment. */
  copy(cursor: string | null): Promise<CopyReply>;
  /** Stores rows of a backup in an object that stores nothing else. It does nothing until `open`. */
  restore(backupId: string, page: Pick<BackupPage, "schema" | "tables">): Promise<RestoreReply>;
  /** Puts a restored object to work, or with `isBack` one that went back in time. A repeat changes nothing. */
  open(isBack?: boolean): Promise<void>;
  /**
   * Sets the object back to a time in epoch milliseconds. It then restarts, so the call fails with
   * `WENT_BACK`. Returns if it stays as it is: for a dry run, or because the platform refuses.
   */
  goBack(to: number, options: { accountId: string; dryRun: boolean }): Promise<GoBackReply>;
}
