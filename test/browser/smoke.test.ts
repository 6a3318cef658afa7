import { afterAll, beforeAll, expect, test } from "vitest";
import { smoke } from "../../scripts/smoke/run.ts";
import { type Client, createAccount } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let account: Client;

beforeAll(async () => {
  service = await startTestService({}, { browser: true });
  account = await createAccount(service);
});

afterAll(() => service.close());

test("the check of a service with a browser sees a request of a page refused, and proves all", async () => {
  const { apiKey } = account;
  const target = { url: service.url, credential: { apiKey }, callback: null };
  const report = await smoke(target, () => {});
  expect(report.checks.find(({ name }) => name === "browser")).toMatchObject({
    outcome: "passed",
    detail: "a page's script reached its own site, and not 169.254.169.254",
  });
  expect(report.unproven).toEqual([]);
});
