import { describe, expect, it } from "vitest";
import { newKey } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const INPUTS = [{ name: "id", type: "string" as const, required: true }];

/** A new endpoint, and its log in a browser that has signed in. */
async function newLog(...settings: Parameters<typeof newEndpoint>) {
  const endpoint = await newEndpoint(...settings);
  const session = await signedIn(endpoint.apiKey);
  const path = `/dashboard/webhooks/${endpoint.endpointId}/requests`;
  const read = async (rest = "", status = 200) => {
    const response = await session.get(`${path}${rest}`);
    expect(response.status).toBe(status);
    return response.text();
  };
  return { endpoint, session, path, read };
}

/** The ids of the entries that a page lists, in their order. */
function listed(page: string): string[] {
  return [...page.matchAll(/id="request-([0-9a-f-]{36})"/g)].map(([, id = ""]) => id);
}

describe("the log", () => {
  it("lists requests, newest first, with errors in words", async () => {
    const { endpoint, read } = await newLog({ validation: { required: ["order.id"] } });
    const empty = await read();
    for (const shown of ["No requests yet", `/hooks/${endpoint.endpointId}`, "Send test event"]) {
      expect(empty).toContain(shown);
    }
    const accepted = await endpoint.take({ id: "evt_1", order: { id: 7 } });
    const again = await endpoint.take({ id: "evt_1", order: { id: 7 } });
    const refused = (await endpoint.hook({})).headers.get("X-Request-Id");
    const page = await read();
    expect(listed(page)).toEqual([refused, again, accepted]);
    expect(page).toContain("Validation: order.id: ");
    expect(page).toContain(">evt_1</code>");
    expect(page).toMatch(/badge attention">(?:<svg.*?<\/svg>)?duplicate</);
    expect(page).toContain("Held until a workflow is attached.");
  });

  it("is filtered by its address, and the form shows the filter", async () => {
    const { endpoint, read } = await newLog({ validation: { required: ["id"] } });
    const first = await endpoint.take({ id: "evt_1" });
    const again = await endpoint.take({ id: "evt_1" });
    const refused = (await endpoint.hook({})).headers.get("X-Request-Id");
    expect(listed(await read("?status=rejected&status=duplicate"))).toEqual([refused, again]);
    expect(listed(await read("?duplicate=true&receivedAfter="))).toEqual([again]);
    expect(listed(await read("?duplicate=false"))).toEqual([refused, first]);
    expect(listed(await read("?receivedBefore=2020-01-01T10:00"))).toEqual([]);
    expect(listed(await read("?receivedAfter=2020-01-01T10:00:30&duplicate="))).toHaveLength(3);
    const page = await read("?status=queued&receivedAfter=2020-01-01T10:00:30");
    expect(page).toMatch(/aria-current="true">Held or queued</);
    expect(page).toContain('value="2020-01-01T10:00:30"');
    expect(await read("?status=failed")).toContain("No matching requests");
  });

  it("is downloaded as CSV with its filter", async () => {
    const { endpoint, read } = await newLog({ validation: { required: ["id"] } });
    await endpoint.take({ id: "=evt_1" });
    const refused = (await endpoint.hook({})).headers.get("X-Request-Id");
    const page = await read("?status=rejected");
    const [, rest = ""] = /requests(\/csv[^"]*)"/.exec(page) ?? [];
    const [head, row, ...others] = (await read(rest)).trim().split("\r\n");
    expect(head).toMatch(/^requestId,receivedAt,status,/);
    expect(row).toContain(`${refused},`);
    expect(others).toEqual([]);
    expect(await read("/csv")).toContain("'=evt_1");
  });

  it("names the invalid filter, and keeps the input", async () => {
    const { endpoint, read } = await newLog();
    await endpoint.take({ id: "evt_1" });
    const page = await read("?receivedAfter=soon&status=queued", 400);
    expect(page).toContain('id="receivedAfter-error"');
    expect(page).toMatch(/aria-current="true">Held or queued</);
    expect(listed(page)).toEqual([]);
    expect(await read("?status=done", 400)).toMatch(/role="alert"[\s\S]*<code>status\[0\]<\/code>/);
    const short = await read("?q=ab", 400);
    expect(short).toContain("Must have at least 3 characters");
    expect(short).toContain('value="ab"');
  });

  it("pages to older entries, which are not live", async () => {
    const { endpoint, session, read } = await newLog();
    const sent: string[] = [];
    for (let at = 0; at < 23; at += 1) sent.push(await endpoint.take({ at }));
    const newest = await read("?status=queued");
    expect(listed(newest)).toHaveLength(20);
    const older = /href="([^"]+)"[^>]*rel="next"/.exec(newest)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const page = await (await session.get(older)).text();
    expect([...listed(newest), ...listed(page)].toSorted()).toEqual(sent.toSorted());
    expect(page).not.toContain("data-live");
    expect(page).toContain("View newest");
  });
});

describe("the log of all endpoints", () => {
  it("shows the selected request beside the list, and links its neighbours", async () => {
    const { endpoint, session, path } = await newLog();
    const first = await endpoint.take({ id: "evt_1" });
    const second = await endpoint.take({ id: "evt_2" });
    const read = async (query = "") => (await session.get(`/dashboard/requests${query}`)).text();
    expect(listed(await read())).toEqual([second, first]);
    expect(listed(await read(`?endpointId=${endpoint.endpointId}`))).toEqual([second, first]);
    const page = await read(`?status=queued&show=${endpoint.endpointId}%2F${first}`);
    expect(listed(page)).toEqual([second, first]);
    expect(page).toContain(`href="${path}/${first}"`);
    const [, newer = ""] = /href="([^"]*)">Newer</.exec(page) ?? [];
    expect(newer).toContain("status=queued");
    expect(newer).toContain(second);
    expect(page).not.toContain(">Older</a>");
  });

  it("has a bar for each hour, which links the requests of that hour", async () => {
    const { endpoint, session } = await newLog();
    const id = await endpoint.take({ id: "evt_1" });
    const page = await (await session.get("/dashboard/requests")).text();
    const bars = [...page.matchAll(/href="([^"]*)" tabindex="-1"/g)].map(([, href = ""]) => href);
    expect(bars).toHaveLength(24);
    const hour = async (at: number) =>
      listed(await (await session.get(bars.at(at)?.replaceAll("&amp;", "&") ?? "")).text());
    expect(await hour(-1)).toEqual([id]);
    expect(await hour(0)).toEqual([]);
  });
});

describe("an open log", () => {
  it("receives new requests that match its filters", async () => {
    const { endpoint, session, read } = await newLog();
    const stream = await session.follow(await read());
    const other = await session.follow(await read("?status=failed"));
    await endpoint.take({ id: "evt_1" });
    await stream.next("changed");
    await other.next("waiting");
    await Promise.all([stream.close(), other.close()]);
  });
});

describe("access to the log", () => {
  it("reads need a read scope, and replays a write scope", async () => {
    const { endpoint, path } = await newLog({}, INPUTS);
    const requestId = await endpoint.take({ id: "evt_1" });
    const { apiKey } = await newKey(endpoint.apiKey, { name: "r", scopes: ["webhooks:read"] });
    const reader = await signedIn(apiKey);
    // It may not see executions: the entry is shown without its run.
    const page = await reader.get(`${path}/${requestId}`);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain("/replay");
    expect((await reader.post(`${path}/${requestId}/replay`)).status).toBe(403);
    expect((await endpoint.log()).requests).toHaveLength(1);
  });
});
