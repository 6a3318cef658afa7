import { describe, expect, it } from "vitest";
import { newEntryPage } from "../../support/worker/entry-page.ts";

/** What does harm where it is not escaped, in text and in attributes. */
const HARM = `"'><script>alert(1)</script><img src=x onerror=alert(2)></textarea></pre>`;

/** Tags and attributes that no page of ours has, unless a request brought them. */
const BROUGHT = /<script>|<img src=x|onerror=(?!alert\(2\)&gt;)|javascript:/;

function expectText(page: string): void {
  expect(page).toContain("&lt;script&gt;alert(1)");
  expect(page).not.toMatch(BROUGHT);
  expect(page.match(/<\/textarea>/g)?.length ?? 0).toBeLessThanOrEqual(1);
}

describe("what a sender sends", () => {
  it.each([
    ["in the payload", { body: { [HARM]: HARM, id: HARM } }],
    ["in text", { body: HARM, headers: { "Content-Type": "text/plain" } }],
    ["in what is no JSON", { body: `{${HARM}` }],
    ["in a header", { body: { id: 1 }, headers: { "X-Note": HARM } }],
    ["in the query", { body: { id: 1 }, query: `?${encodeURIComponent(HARM)}=${HARM}` }],
    ["in the event id", { body: { id: `evt ${HARM}` } }],
    ["in the Content-Type", { body: HARM, headers: { "Content-Type": `text/${HARM}` } }],
  ])("%s comes out as text", async (_, { body, ...how }) => {
    const { endpoint, session, path, read } = await newEntryPage();
    const sent = await endpoint.hook(body, how);
    const page = await read(sent.headers.get("X-Request-Id"));
    expectText(page);
    expect(await (await session.get(path)).text()).not.toMatch(BROUGHT);
  });

  it("that breaks a rule comes out as text, in the list and in the errors", async () => {
    const { endpoint, session, path, read } = await newEntryPage({
      validation: { schema: { additionalProperties: false } },
    });
    const sent = await endpoint.hook({ [HARM]: 1 });
    expectText(await read(sent.headers.get("X-Request-Id")));
    expectText(await (await session.get(path)).text());
  });
});

describe("what a reader types", () => {
  it("comes out as text in the form for another payload", async () => {
    const { endpoint, session, path } = await newEntryPage();
    const requestId = await endpoint.take({ id: "evt_1" });
    const payload = `{${HARM}`;
    const answer = await session.post(`${path}/${requestId}/replay`, { do: "edited", payload });
    expectText(await answer.text());
  });

  it("comes out as text in the filters", async () => {
    const { session, path } = await newEntryPage();
    for (const name of ["receivedAfter", "receivedBefore", "duplicate", "status", "seen"]) {
      const page = await (await session.get(`${path}?${name}=${encodeURIComponent(HARM)}`)).text();
      expect(page).not.toMatch(BROUGHT);
    }
  });

  it("comes out as text in the name of an endpoint", async () => {
    const { endpoint, session, path, read } = await newEntryPage({ name: HARM });
    expectText(await (await session.get(path)).text());
    expectText(await read(await endpoint.take({ id: 1 })));
  });
});
