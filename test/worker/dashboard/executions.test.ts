import { describe, expect, it } from "vitest";
import { newKey } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { DONE, newReader } from "../../support/worker/runs.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

/** The ids of the runs that a page lists, in their order. */
function listed(page: string): string[] {
  return [...page.matchAll(/id="run-([0-9a-f-]{36})"/g)].map(([, id = ""]) => id);
}

describe("the list of executions", () => {
  it("shows each execution with its status, its prompt, its summary and its credits, the newest first", async () => {
    const { started, start, read } = await newReader();
    const empty = await read();
    expect(empty).toContain("No executions yet");
    expect(empty).toContain('href="/dashboard/executions/new"');
    const first = await started([DONE]);
    const second = await start([{ error: { status: 400 } }], {});
    const page = await read();
    expect(listed(page)).toEqual([second, first]);
    expect(page).toMatch(/badge good">(?:<svg.*?<\/svg>)?completed<[\s\S]*All done\./);
  });

  it("is filtered by its address, and its form shows the filter", async () => {
    const { started, start, read } = await newReader();
    const completed = await started([DONE]);
    const asking = { calls: [{ tool: "ask_user", input: { question: "Which?" } }] };
    const waiting = await started([asking], { interactive: true }, "waiting_for_input");
    const held = mailbox();
    await held.answer("hold");
    const active = await start([{ gate: held.name, ...DONE }]);
    expect(listed(await read("?status=active"))).toEqual([active]);
    const both = await read("?status=completed&status=waiting_for_input");
    expect(listed(both)).toEqual([waiting, completed]);
    expect(both.match(/aria-current="true">(?:Completed|Waiting)</g)).toHaveLength(2);
    expect(listed(await read("?origin=api&workflowId=&createdAfter="))).toHaveLength(3);
    const none = await read("?origin=webhook");
    expect(listed(none)).toEqual([]);
    expect(none).toContain("No matching executions");
    expect(listed(await read("?createdBefore=2020-01-01T00:00"))).toEqual([]);
    expect(listed(await read("?createdAfter=2020-01-01T00:00&limit=1"))).toHaveLength(3);
  });

  it("distinguishes executions of a webhook by sender, event id and inputs", async () => {
    const inputs = [
      { name: "id", type: "string" as const },
      { name: "order", type: "object" as const },
    ];
    const endpoint = await newEndpoint({ name: "shop" }, inputs);
    for (const id of ["evt_1", "evt_2"]) await endpoint.take({ event_id: id, order: { of: id } });
    const session = await signedIn(endpoint.apiKey);
    const read = (query = "") => session.read(`/dashboard/executions${query}`);
    await expect.poll(async () => listed(await read())).toHaveLength(2);
    const page = await read("?q=evt_2");
    expect(listed(page)).toHaveLength(1);
    expect(page).toMatch(/\/requests\/[0-9a-f-]{36}">shop<\/a>[\s\S]*<code>evt_2<\/code>/);
    expect(page).toContain("order: {&quot;of&quot;:&quot;evt_2&quot;}");
  });
});

describe("the table of a list", () => {
  it("ends with the total credits of the shown executions, if there are several", async () => {
    const { started, read } = await newReader();
    await started([DONE]);
    expect(await read()).not.toContain("<tfoot>");
    await started([DONE]);
    const page = await read();
    const credits = [...page.matchAll(/class="num" data-label="Credits">(\d+)</g)];
    const [first, second, total] = credits.map(([, figure]) => Number(figure));
    expect(total).toBe((first ?? 0) + (second ?? 0));
    expect(page).toMatch(/<tfoot><tr><th scope="row" colspan="4">Total of these 2 rows</);
  });

  it("has the reader's columns, in this browser and not in downloads", async () => {
    const { apiKey, started, session, read } = await newReader();
    await started([DONE]);
    const columns = ["Status", "Execution", "Started by", "Credits", "Duration", "Created"];
    const choose = (...shown: string[]) =>
      session.post("/dashboard/executions/columns?status=completed", [
        ...columns.map((name): [string, string] => ["offered", name]),
        ...shown.map((name): [string, string] => ["shown", name]),
      ]);
    const headed = (page: string) =>
      [...page.matchAll(/<th scope="col"[^>]*>([^<]+)</g)].map(([, name]) => name);
    const all = headed(await read());
    expect(all).toEqual(["Retry", ...columns]);
    const chosen = await choose("Execution", "Created");
    expect(chosen.headers.get("Location")).toBe("/dashboard/executions?status=completed");
    expect(headed(await read("?status=completed"))).toEqual(["Retry", "Execution", "Created"]);
    await session.post("/dashboard/sign-out");
    await session.post("/dashboard/sign-in", { apiKey });
    expect(headed(await read())).toEqual(["Retry", "Execution", "Created"]);
    const csv = await session.get("/dashboard/executions/csv");
    expect(await csv.text()).toContain("creditsConsumed");
    const elsewhere = await signedIn(apiKey);
    expect(headed(await elsewhere.read("/dashboard/executions"))).toEqual(all);
    await choose();
    expect(headed(await read())).toEqual(all);
  });
});

describe("a list that is open", () => {
  it("receives changes between its page and its stream", async () => {
    const { session, apiKey } = await newReader();
    const shown = await session.read("/dashboard/keys");
    await newKey(apiKey, { name: "ci" });
    const stream = await session.follow(shown);
    await stream.next("changed");
    await stream.close();
  });
});
