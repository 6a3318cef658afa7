import { test } from "vitest";
import { expectRestored } from "../support/backup.ts";

test("an account with 1,000 executions and 10,000 requests is identical in another deployment", () =>
  expectRestored({ executions: 1_000, requests: 10_000 }));
