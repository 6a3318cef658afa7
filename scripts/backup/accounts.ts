import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import * as z from "zod";
import { backupPage, backupPlan, copiedPage } from "../../src/contract/backup.ts";
import { accountRecord, resealed } from "../../src/contract/operators.ts";
import { UserError } from "../local/project.ts";
import { RefusedError, read, type Service, send } from "./admin.ts";

/** How often a part that changes while it is copied is copied anew. */
const TRIES = 20;

const accountPage = z.object({
  accounts: z.array(accountRecord),
  nextCursor: z.string().nullable(),
});

/**
 * The first line of an account's file. The pages follow, in the order in which they were copied, then the end.
 * Files of version 1 lack the end.
 */
const heading = z.object({
  v: z.literal([1, 2, 3]),
  accountId: z.string(),
  backupId: z.uuid(),
  ...backupPlan.shape,
});
/** The last line: the number of pages and, since version 3, the digest of all that precedes. */
const ending = z.strictObject({ pages: z.int(), sha256: z.hex().optional() });

/** Returns the ids of all accounts of a service. */
export async function accountIds(service: Service): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const page: z.output<typeof accountPage> = await read(
      service,
      `/accounts${query}`,
      accountPage,
    );
    ids.push(...page.accounts.map(({ accountId }) => accountId));
    cursor = page.nextCursor;
  }
  return ids;
}

/** Copies an account into a file, which is there once it is whole. */
export async function backUpAccount(
  service: Service,
  accountId: string,
  path: string,
): Promise<void> {
  const plan = await read(service, `/accounts/${accountId}/backup`, backupPlan);
  const draft = `${path}.part`;
  const file = await open(draft, "w", 0o600);
  try {
    const first = { v: 3, accountId, backupId: crypto.randomUUID(), ...plan };
    const line = `${JSON.stringify(first)}\n`;
    let hash = createHash("sha256").update(line);
    let end = (await file.write(line)).bytesWritten;
    let pages = 0;
    for (const part of plan.parts) {
      for (let tries = 1; ; tries += 1) {
        const begin = end;
        const begun = hash.copy();
        let copied = 0;
        try {
          for await (const page of pagesOf(service, accountId, part)) {
            const text = `${JSON.stringify(page)}\n`;
            hash.update(text);
            end += (await file.write(text, end)).bytesWritten;
            copied += 1;
          }
          pages += copied;
          break;
        } catch (error) {
          const hasChanged = error instanceof RefusedError && error.status === 409;
          if (!hasChanged) throw error;
          if (tries === TRIES) {
            throw new UserError(
              `${part} of ${accountId} changes faster than it can be copied. Repeat this at a quieter time.`,
            );
          }
          await file.truncate(begin);
          end = begin;
          hash = begun;
        }
      }
    }
    await file.write(`${JSON.stringify({ pages, sha256: hash.digest("hex") })}\n`, end);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

async function* pagesOf(service: Service, accountId: string, part: string) {
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = new URLSearchParams(
      cursor === "" ? { part } : { part, cursor },
    ).toString();
    const copied: z.output<typeof copiedPage> = await read(
      service,
      `/accounts/${accountId}/backup/page?${query}`,
      copiedPage,
    );
    yield copied.page;
    cursor = copied.nextCursor;
  }
}

/**
 * Restores the account in a file into a service that does not have it, then seals its secrets with that
 * service's key. One that was interrupted completes when it is repeated.
 */
export async function restoreAccount(service: Service, path: string): Promise<string> {
  const { accountId, backupId, keys, parts, pages } = await readHeading(path);
  let line = 0;
  for await (const text of linesOf(path)) {
    if (line > pages) break;
    if (line > 0) {
      const page = backupPage.parse(JSON.parse(text));
      await send(service, "POST", `/accounts/${accountId}/restore`, { backupId, keys, page });
    }
    line += 1;
  }
  // Hosts before those that they report to; the account completes the restore.
  const order = ["host", "inbox", "account"];
  const sorted = order.flatMap((kind) => parts.filter((part) => part.split("/")[0] === kind));
  for (const part of sorted)
    await send(service, "POST", `/accounts/${accountId}/restore/open`, { part });
  await resealSecrets(service);
  return accountId;
}

/**
 * Reads an account's file to its end. Returns its heading and the number of its pages. Throws `UserError` for
 * a file that is damaged or cut, of which nothing must reach the service: it takes an account only once.
 */
async function readHeading(path: string) {
  let head: z.output<typeof heading> | null = null;
  let pages = 0;
  let isEnded = false;
  let isWhole = true;
  let line = 0;
  const hash = createHash("sha256");
  const missing = new Set<string>();
  for await (const text of linesOf(path)) {
    line += 1;
    try {
      const value: unknown = JSON.parse(text);
      if (isEnded) throw new Error("Nothing follows the end.");
      if (head === null) {
        head = heading.parse(value);
        for (const part of head.parts) missing.add(part);
      } else if (ending.safeParse(value).data?.pages === pages) {
        isEnded = true;
        isWhole = head.v < 3 || ending.parse(value).sha256 === hash.copy().digest("hex");
      } else {
        missing.delete(backupPage.parse(value).part);
        pages += 1;
      }
      hash.update(`${text}\n`);
    } catch {
      throw new UserError(`${path} is damaged in line ${line}. Restore from another copy of it.`);
    }
  }
  if (head === null) throw new UserError(`${path} is not the backup of an account.`);
  if (missing.size > 0 || (head.v !== 1 && !isEnded)) {
    throw new UserError(`The end of ${path} is missing. Restore from another copy of it.`);
  }
  if (!isWhole) {
    throw new UserError(`${path} is not as it was written. Restore from another copy of it.`);
  }
  return { ...head, pages };
}

/** Node's readline ends a line at U+2028 and U+2029 too, which JSON has in texts as they are. */
async function* linesOf(path: string): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: 2 ** 20 })) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

async function resealSecrets(service: Service): Promise<void> {
  let lost = 0;
  for (let cursor: string | undefined; ; ) {
    const done = resealed.parse(
      await send(service, "POST", "/reseal", cursor === undefined ? {} : { cursor }),
    );
    lost += done.lost;
    if (done.nextCursor === null) break;
    cursor = done.nextCursor;
  }
  if (lost > 0) console.error(`${lost} secrets are sealed with a key that ENCRYPTION_KEY lacks.`);
}
