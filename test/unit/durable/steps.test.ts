import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import { INBOX_SCHEMA } from "../../../src/endpoints/tables.ts";
import { HOST_SCHEMA } from "../../../src/executions/journal/journal.ts";

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

/**
 * Older code, to which a deployment can be rolled back, knows neither the new name nor the new column. It
 * names no index, so one may be replaced by another of its name.
 */
it.each(steps)("%s only adds what older code can ignore", (_, sql) => {
  expect(sql).not.toMatch(/\b(?:DROP(?! INDEX)|RENAME)\b/i);
  for (const [, index = ""] of sql.matchAll(/\bDROP INDEX (\w+)/gi)) {
    expect(sql).toMatch(new RegExp(`\\bCREATE INDEX ${index}\\b`));
  }
  for (const [column] of sql.matchAll(/\bADD\s+(?:COLUMN\s+)?[^;]+/gi)) {
    if (/\bNOT NULL\b/i.test(column)) expect(column).toMatch(/\bDEFAULT\b/i);
  }
});

/**
 * Stored state is of the steps that it was written under, and a step that was taken is not taken again: to
 * change one makes state unreadable. A new step gets a line here, and then stays as it is.
 */
const FROZEN: Record<string, string> = {
  "Account, step 1": "a26e5693e53824174fcb846b9028effbd029927d6c3b9a444a849f3767e6c6e2",
  "Account, step 2": "154033a8a5efa02eb3bfe9adf1793f4d4ad6f54e0554eadee4a0fb4463f0b477",
  "Account, step 3": "f7d2296b0469c2802a436b1bf7aeb328b2ecb1ed438d110ffacd208d26747152",
  "Account, step 4": "f08b587e2ea5e12553ed9ada4bc95554a7c36084a8b40178dab7ed46530effdc",
  "Account, step 5": "d2e274cb5a35f3c8d6bf609cfe42e70a4d10a28bf155b1917964b581c7349cba",
  "Account, step 6": "962859f91630c6d9b9cf2c4c6ce7ed9f942ec62fa8a703530a7d151bb802414e",
  "Account, step 7": "0ca16568a99b9398013c360708eeaff823e2567786647c6a58816d3055db22fd",
  "Account, step 8": "932646e4e1c9592995068280b4f88d3674b02d64b027149f1f18a48d57f5f5ff",
  "Account, step 9": "a047fb3ee887791f044f9f2ff071860848ce48193eebf846a25af27a9ef21ee1",
  "Account, step 10": "701e6687f8964983d96346e7b8109936199dd48ed6743ca245d605552fef50a1",
  "Account, step 11": "6ed09880e50a34003ccc787e9eca3ea10a3108822342aec9b0edc7a0175de19a",
  "Account, step 12": "b12ee698102df7ed7f85bd7f07af0043c54328657100c6c26b5ffd62b16ac857",
  "Account, step 13": "4c40e45604221f56c1cd08f90308dcb7c39c41af60a51410afc4bb18867440ba",
  "Account, step 14": "37c135b03adfafb694eb5042d2032436efa678dfd3f500258ca2799351d993e3",
  "SessionHost, step 1": "0825370e014c3062077495c3d3157f8b32432c761798dfef3f3e727f630733b2",
  "SessionHost, step 2": "c739f7eac5755fee051d8b4562d83b2e0c3c09fa0c18527793784d6aee7d7967",
  "EndpointInbox, step 1": "f0b5f13c8b1ee37a9e846b16cb7318bb532ec8557bca303f18a08335af3b4e90",
  "EndpointInbox, step 2": "7fb6655848e76efcd32135643754b1a9991eb881993e8a06b24e675680cca041",
  "EndpointInbox, step 3": "8535722f0b17453ffe3ae8911381a159f844535e7a745c1117c5df4fcd7de5ce",
  "EndpointInbox, step 4": "2926d50607d9ab2f50708703f225db8a5e7c09934815c27347c9e55f12ce743c",
  "EndpointInbox, step 5": "962b2942f9c9122dfa9c4846b8ac0639d53c03e7f8c9cea78545f2b41211d5ff",
  "EndpointInbox, step 6": "20427ff517fd4a66110d99bbfef91c34499b5523155c44c8323cf1c9399149fd",
  "EndpointInbox, step 7": "c7db6da06bc7460a4e6860e09932b0bd45440192edac6feeef5083ba096e73df",
  "EndpointInbox, step 8": "37c135b03adfafb694eb5042d2032436efa678dfd3f500258ca2799351d993e3",
  "EndpointInbox, step 9": "b39f99410c740caeb6f276738da31353bcb3d891d85dafc6595830a67b39027b",
  "0000_init.sql": "8a0ac1ca852be1bf4d2aece088a7d97643ce9494c37cd812aa4b050a76222d00",
  "0001_webhooks.sql": "c4e50bfaa79e131bcfbcd95436da4eac01e4c15e36014c7f5af6b69eb4709622",
  "0002_account_controls.sql": "87d7467ea4fe2190b791d684261cb016cec47e22654a21cc929b842b2f738689",
  "0003_execution_keys.sql": "27689b594696883b4f9e311b924359eb138f63b60b56e8b38605bb18a6b90034",
  "0004_revisions.sql": "9a8b1d77d6505f352bd16945fe1a92bfb3e43ff063c0601d3667f1f82ec6e346",
  "0005_people.sql": "341763d4e5f3aaaa3b30e72a1eb9758ef213d39cf9140f448a0ad22f2a6ec404",
  "0006_time_travel.sql": "691da00075a6e48aa374b261ceea702aa84be73b95f67237dd0366586c8b4fc8",
  "0007_external_ids.sql": "df703094e2389e9568e03031be933b090ed0a227608a10b78cbca514f0c91853",
  "0008_forks.sql": "1cd2dc2a4fc114c012d80f37c574d8bd0a54eb23a972ba907987b20da03a1921",
  "0009_costs.sql": "53ccda7ecc67bbebd1c6241dd715ed91dc02eb193a69eb37be1a6b5530f07503",
  "0010_scores.sql": "f29c3215f6bdfa3f34292613a6a08176f4d28b6f92bd4bd97c280e6f95b597c1",
  "0011_causes.sql": "54f9a05f0a9bc945115b27147ae69bb456f13c54d16fc8d50d9c80c8ce776e30",
};

it("each step is unchanged since state was first stored under it", () => {
  const hashes = steps.map(([name, sql]) => [name, createHash("sha256").update(sql).digest("hex")]);
  expect(Object.fromEntries(hashes)).toEqual(FROZEN);
});
