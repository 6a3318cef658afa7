import { expect, it } from "vitest";
import { createSenderPort } from "../../../src/outbound/sender-port.ts";
import type { OutboundRequest } from "../../../src/ports/fetch.ts";

const URL_OF_KEY = "https://api.paypal.com/v1/notifications/certs/CERT-1";

/** A sender that answers with these statuses in turn, the last one for ever. */
function senderThat(...statuses: number[]) {
  const asked: OutboundRequest[] = [];
  const clock = { now: 1_000_000 };
  const port = createSenderPort({
    now: () => clock.now,
    fetch: async (request) => {
      const status = statuses[asked.length] ?? statuses.at(-1) ?? 0;
      asked.push(request);
      if (status === 0) throw new Error("connection refused");
      const text = status === 200 ? '{"key":{"kty":"EC"}}' : "no";
      const bytes = new TextEncoder().encode(text);
      return { url: request.url, status, headers: new Headers(), bytes, cut: false };
    },
  });
  return { port, asked, clock };
}

it("fetches a key once an hour", async () => {
  const { port, asked, clock } = senderThat(200);
  const fetchKey = () => port.fetchKey({ url: URL_OF_KEY });
  const [first, second] = await Promise.all([fetchKey(), fetchKey()]);
  expect([first, second]).toEqual(['{"key":{"kty":"EC"}}', '{"key":{"kty":"EC"}}']);
  clock.now += 3_599_000;
  await fetchKey();
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ method: "GET", url: URL_OF_KEY });
  expect(asked[0]?.maxRedirects ?? 0).toBe(0);
  clock.now += 2_000;
  await fetchKey();
  expect(asked).toHaveLength(2);
});

it("returns the named member of a response", async () => {
  const { port } = senderThat(200);
  const order = { url: URL_OF_KEY, member: "key" };
  expect(await port.fetchKey(order)).toBe('{"kty":"EC"}');
  expect(await port.fetchKey({ ...order, member: "other" })).toBeNull();
});

it("caches for a minute that a sender lacks a key", async () => {
  const { port, asked, clock } = senderThat(404, 200);
  expect(await port.fetchKey({ url: URL_OF_KEY })).toBeNull();
  expect(await port.fetchKey({ url: URL_OF_KEY })).toBeNull();
  expect(asked).toHaveLength(1);
  clock.now += 60_000;
  expect(await port.fetchKey({ url: URL_OF_KEY })).not.toBeNull();
});

it.each([0, 429, 503])("caches nothing after %s, and fetches again", async (status) => {
  const { port } = senderThat(status, 200);
  await expect(port.fetchKey({ url: URL_OF_KEY })).rejects.toThrow(
    "api.paypal.com cannot be asked. Try again shortly.",
  );
  expect(await port.fetchKey({ url: URL_OF_KEY })).not.toBeNull();
});

it("fetches at most 60 times a minute, since strangers can name addresses", async () => {
  const { port, asked, clock } = senderThat(404);
  const fetchKey = (at: number) => port.fetchKey({ url: `${URL_OF_KEY}${at}` });
  for (let at = 0; at < 60; at += 1) await fetchKey(at);
  await expect(fetchKey(60)).rejects.toThrow("Too many keys of senders are fetched.");
  expect(await port.confirm("https://sns.us-east-1.amazonaws.com/")).toBe(false);
  expect(asked).toHaveLength(60);
  clock.now += 60_000;
  expect(await fetchKey(61)).toBeNull();
});

it.each([
  [200, true],
  [403, false],
  [503, false],
])("confirms a subscription that is answered with %i: %s", async (status, confirmed) => {
  const { port } = senderThat(status);
  expect(await port.confirm("https://sns.us-east-1.amazonaws.com/")).toBe(confirmed);
});

it("refetches keys once a minute if one is missing", async () => {
  const { port, asked, clock } = senderThat(200);
  const order = { url: "https://sender.example/keys", isChosen: true as const };
  await port.fetchKey(order);
  await port.fetchKey(order, true);
  expect(asked).toHaveLength(1);
  clock.now += 60_000;
  await Promise.all([port.fetchKey(order, true), port.fetchKey(order, true)]);
  expect(asked).toHaveLength(2);
});

it("keeps a key that it has while the sender cannot be asked for a newer one", async () => {
  const { port, asked, clock } = senderThat(200, 503);
  const order = { url: "https://sender.example/keys", isChosen: true as const };
  const known = await port.fetchKey(order);
  clock.now += 60_000;
  const [renewed, kept] = await Promise.allSettled([
    port.fetchKey(order, true),
    port.fetchKey(order),
  ]);
  expect(renewed.status).toBe("rejected");
  expect(kept).toEqual({ status: "fulfilled", value: known });
  expect(await port.fetchKey(order)).toBe(known);
  expect(asked).toHaveLength(2);
  clock.now += 3_600_000;
  await expect(port.fetchKey(order)).rejects.toThrow("cannot be asked");
});

it("limits the address of one account without using up the fetches of others", async () => {
  const { port, asked } = senderThat(503);
  const order = { url: "https://sender.example/keys", isChosen: true as const };
  for (let at = 0; at < 20; at += 1) await port.fetchKey(order).catch(() => null);
  expect(asked).toHaveLength(6);
  await port.fetchKey({ ...order, url: "https://other.example/keys" }).catch(() => null);
  await port.fetchKey({ url: URL_OF_KEY }).catch(() => null);
  expect(asked).toHaveLength(8);
});
