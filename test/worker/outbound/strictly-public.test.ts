import { expect, it } from "vitest";
import { createGuardedFetch } from "../../../src/outbound/guarded-fetch.ts";
import { mailbox } from "../../support/worker/objects.ts";

it("runs with requests to its own zone sent through Cloudflare, and reaches loopback in development", async () => {
  expect(Cloudflare.compatibilityFlags).toMatchObject({ global_fetch_strictly_public: true });

  const receiver = mailbox();
  const fetch = createGuardedFetch({
    policy: { allowLoopback: true, ownHosts: [], schemes: ["http"] },
    dnsOverHttpsUrl: null,
  });
  const answer = await fetch({
    method: "POST",
    url: receiver.url,
    maxBytes: 1_024,
    timeoutMs: 10_000,
    maxRedirects: 0,
    signal: new AbortController().signal,
  });
  expect(answer.status).toBe(200);
  expect(await receiver.letters(1)).toHaveLength(1);
});
