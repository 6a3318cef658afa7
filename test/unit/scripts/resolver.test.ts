import { expect, test } from "vitest";
import { answerLookup, SYSTEM_RESOLVER } from "../../../scripts/local/resolver.ts";
import { requirePublic } from "../../../src/outbound/resolve.ts";

/** Looks a name up as the service does on this machine. */
const lookUp = (name: string) =>
  requirePublic(
    name,
    {
      dnsOverHttpsUrl: SYSTEM_RESOLVER,
      fetch: async (url) => Response.json(await answerLookup({ url: `${url}` })),
    },
    new AbortController().signal,
  );

test("a name of this machine is found, and refused", async () => {
  await expect(lookUp("localhost")).rejects.toThrow(
    "The name localhost resolves to an address that is not public.",
  );
});

test("a question of another type has no answer", async () => {
  const url = `${SYSTEM_RESOLVER}?name=localhost&type=TXT`;
  expect(await answerLookup({ url })).toEqual({ Status: 2 });
});
