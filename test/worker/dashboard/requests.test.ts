import { describe, expect, it } from "vitest";
import { newEndpointRoom } from "../../support/worker/endpoint-room.ts";

/** A new endpoint, and its log in a browser that has signed in. */
async function newLog(...settings: Parameters<typeof newEndpointRoom>) {
  const room = await newEndpointRoom(...settings);
  const read = (rest = "", status = 200) => room.me.read(`${room.log}${rest}`, status);
  return { ...room, read };
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
    // Screen readers skip the alerts that a page opens with.
    expect(page).toMatch(/<div tabindex="-1" autofocus=""><div class="notice bad" role="alert">/);
    expect(page).toMatch(/aria-current="true">Held or queued</);
    expect(listed(page)).toEqual([]);
    expect(await read("?status=done", 400)).toMatch(/role="alert"[\s\S]*<code>status\[0\]<\/code>/);
    expect(await read("?cursor=nonsense", 400)).toContain("<code>cursor</code>");
    const short = await read("?q=ab", 400);
    expect(short).toContain("Must have at least 3 characters");
    expect(short).toContain('value="ab"');
  });

  it("pages to older entries, which are not live", async () => {
    const { endpoint, me, read } = await newLog();
    const sent: string[] = [];
    for (let at = 0; at < 23; at += 1) sent.push(await endpoint.take({ at }));
    const newest = await read("?status=queued");
    expect(listed(newest)).toHaveLength(20);
    const older = /href="([^"]+)"[^>]*rel="next"/.exec(newest)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const page = await me.read(older);
    expect([...listed(newest), ...listed(page)].toSorted()).toEqual(sent.toSorted());
    expect(page).not.toContain("data-live");
    expect(page).toContain("View newest");
  });
});

describe("the log of all endpoints", () => {
  it("shows the selected request beside the list, and links its neighbours", async () => {
    const { endpoint, me, log } = await newLog();
    const first = await endpoint.take({ id: "evt_1" });
    const second = await endpoint.take({ id: "evt_2" });
    const read = (query = "") => me.read(`/dashboard/requests${query}`);
    expect(listed(await read())).toEqual([second, first]);
    expect(listed(await read(`?endpointId=${endpoint.endpointId}`))).toEqual([second, first]);
    const page = await read(`?status=queued&show=${endpoint.endpointId}%2F${first}`);
    expect(listed(page)).toEqual([second, first]);
    expect(page).toContain(`href="${log}/${first}"`);
    const [, newer = ""] = /href="([^"]*)">Newer</.exec(page) ?? [];
    expect(newer).toContain("status=queued");
    expect(newer).toContain(second);
    expect(page).not.toContain(">Older</a>");
  });

  it("has a bar for each hour, which links the requests of that hour", async () => {
    const { endpoint, me } = await newLog();
    const id = await endpoint.take({ id: "evt_1" });
    const page = await me.read("/dashboard/requests");
    const bars = [...page.matchAll(/href="([^"]*)" tabindex="-1"/g)].map(([, href = ""]) => href);
    expect(bars).toHaveLength(24);
    const hour = async (at: number) =>
      listed(await me.read(bars.at(at)?.replaceAll("&amp;", "&") ?? ""));
    expect(await hour(-1)).toEqual([id]);
    expect(await hour(0)).toEqual([]);
  });
});
