import { expect, it } from "vitest";
import { newEndpointRoom } from "../../support/worker/endpoint-room.ts";

it("finds names, ids and event types by two letters, too few for payloads", async () => {
  const { me, at } = await newEndpointRoom({ name: "qx orders" });
  const response = await me.get("/dashboard/search?q=qx");
  expect(response.status).toBe(200);
  const page = await response.text();
  expect(page).toContain(`href="${at}"`);
  expect(page).toContain("Payloads are searched from 3 characters on.");
});

it("leads from a search without results to that of the request log, which goes on", async () => {
  const { me } = await newEndpointRoom();
  const page = await me.read("/dashboard/search?q=evt%26_none");
  expect(page).toContain('href="/dashboard/requests?q=evt%26_none"');
});

it("shows a page for any text", async () => {
  const { me } = await newEndpointRoom();
  for (const text of ["a", "%25", '"', "a*", "%00ab", "%F0%9F%98%80", " ", "é".repeat(300)]) {
    expect((await me.get(`/dashboard/search?q=${text}`)).status, text).toBe(200);
  }
});
