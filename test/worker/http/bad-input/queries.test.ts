import { beforeAll, describe, expect, it } from "vitest";
import { AGENT, expectProblem, newAccount, send, trigger } from "../../../support/worker/client.ts";

let account: Awaited<ReturnType<typeof newAccount>>;
let executionId: string;
beforeAll(async () => {
  account = await newAccount();
  executionId = await trigger(account.apiKey);
});

describe("queries", () => {
  it.each([
    ["/trigger/list?limit=0", "limit"],
    ["/trigger/list?limit=101", "limit"],
    ["/trigger/list?limit=1e1", "limit"],
    ["/trigger/list?limit=10&limit=20", "limit"],
    ["/trigger/list?status=done", "status[0]"],
    ["/trigger/list?status=active,", "status[1]"],
    ["/trigger/list?origin=api&origin=x", "origin[1]"],
    ["/trigger/list?createdAfter=yesterday", "createdAfter"],
    ["/trigger/list?cursor=x", "cursor"],
    ["/trigger/list?cursor=", "cursor"],
    ["/trigger/list?colour=red", "colour"],
    ["/trigger/list?__proto__=x", "__proto__"],
    ["/trigger/ID/status?waitSeconds=5", "sinceVersion"],
    ["/trigger/ID/status?sinceVersion=1&waitSeconds=31", "waitSeconds"],
    ["/trigger/ID/status?sinceVersion=-1", "sinceVersion"],
    ["/trigger/ID/events?after=x", "after"],
    ["/trigger/ID/events?limit=1001", "limit"],
    ["/credits?x", "x"],
  ])("refuses %s", async (path, where) => {
    const response = await send(AGENT + path.replace("ID", executionId), {
      token: account.apiKey,
    });
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe(where);
  });
});
