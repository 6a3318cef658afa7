import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import { HOST_SCHEMA } from "../../../src/agent/journal/journal.ts";
import { INBOX_SCHEMA } from "../../../src/inbound/inbox/tables.ts";

const MIGRATIONS = "migrations";

const steps: [name: string, sql: string][] = [
  ...named("Account", ACCOUNT_SCHEMA),
  ...named("SessionHost", HOST_SCHEMA),
  ...named("EndpointInbox", INBOX_SCHEMA),
  ...readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith(".sql"))
    .map((file): [string, string] => [file, readFileSync(`${MIGRATIONS}/${file}`, "utf8")]),
];

function named(object: string, schema: readonly string[]): [string, string][] {
  return schema.map((sql, n) => [`${object}, step ${n + 1}`, sql]);
}

/** Older code, to which a deployment can be rolled back, knows neither the new name nor the new column. */
it.each(steps)("%s only adds what older code can leave out", (_, sql) => {
  expect(sql).not.toMatch(/\b(?:DROP|RENAME)\b/i);
  for (const [column] of sql.matchAll(/\bADD\s+(?:COLUMN\s+)?[^;]+/gi)) {
    if (/\bNOT NULL\b/i.test(column)) expect(column).toMatch(/\bDEFAULT\b/i);
  }
});
