import { expect, it } from "vitest";
import { memberRecord } from "../../../src/contract/keys.ts";
import { allPages, newAccount, newKey } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";

it("members are added, changed and removed on their page, and the last admin stays", async () => {
  const { apiKey } = await newAccount();
  const { submit, post } = await signedIn(apiKey);
  const added = await submit("/dashboard/members", { email: "ada@example.com", role: "admin" });
  expect(added.html).toContain("ada@example.com");
  const [member] = await allPages(apiKey, "/api/v1/members?limit=2", "members", memberRecord);
  const path = `/dashboard/members/${member?.memberId}`;
  const demoted = await submit(`${path}/role`, { role: "viewer" });
  expect([demoted.status, demoted.html]).toEqual([409, expect.stringContaining("last admin")]);
  expect((await post(`${path}/remove`)).status).toBe(409);
  await submit("/dashboard/members", { email: "ben@example.com", role: "admin" });
  expect((await submit(`${path}/role`, { role: "viewer" })).html).toContain("Role changed");
  expect((await submit(`${path}/remove`)).html).not.toContain("ada@example.com");
});

it("the audit log is filtered on its page, and downloaded as CSV with escaped formulas", async () => {
  const { apiKey } = await newAccount();
  await newKey(apiKey, { name: "=1+1" });
  const { get } = await signedIn(apiKey);
  const all = await (await get("/dashboard/audit")).text();
  expect(all).toContain("<code>account.created</code>");
  const filtered = await (await get("/dashboard/audit?action=key.created")).text();
  expect(filtered).not.toContain("<code>account.created</code>");
  const csv = await get("/dashboard/audit/csv?action=key.created");
  expect(csv.headers.get("Content-Disposition")).toContain("audit-log.csv");
  const lines = (await csv.text()).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("'=1+1");
});
