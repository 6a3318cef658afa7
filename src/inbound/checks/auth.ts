import { DEFAULT_TOKEN_HEADER } from "../../contract/inbound/endpoint.ts";
import { type HubChallenge, hubChallenge } from "../challenge.ts";
import { matchesAny, validValues } from "../credentials.ts";
import type { Endpoint } from "../types.ts";
import { type Case, type Check, PASSED, skipped, unauthorized } from "./check.ts";

type Flaw = { path: string; rule: string; message: string };

/** It carries the headers that the endpoint asks for, and its token. */
export const auth: Check = {
  stage: "auth",
  async judge(asked) {
    const headers = await headerFlaws(asked);
    const hub = await hubChallenge(asked.endpoint, asked.request);
    // Neither token nor signature comes with it: what it carries in their place was verified.
    if (hub.kind === "verified" && headers.length === 0) {
      return { kind: "answered", answer: hub.answer };
    }
    const flaws = [...headers, ...(await tokenFlaws(asked))];
    if (flaws.length > 0) return unauthorized([...flaws, ...hubFlaws(hub)]);
    return asksForNothing(asked.endpoint)
      ? skipped("The endpoint asks for no token and no headers.")
      : PASSED;
  },
};

function asksForNothing({ config: { auth } }: Endpoint): boolean {
  return auth.token === null && auth.headers.length === 0;
}

function hubFlaws(hub: HubChallenge): Flaw[] {
  return hub.kind === "refused" ? [flaw("hub.challenge", "hub_challenge", hub.message)] : [];
}

async function headerFlaws({ endpoint, request }: Case): Promise<Flaw[]> {
  const { headers } = endpoint.config.auth;
  const flaws = headers.map(async ({ name, value }, at) => {
    const given = request.headers.get(name);
    if (given === null) return flaw(name, "header", "The header is missing.");
    if (value === null) return null;
    const expected = endpoint.headerValues[at] ?? null;
    const isSame = expected !== null && (await matchesAny([given], [expected]));
    return isSame ? null : flaw(name, "header", "The header has another value.");
  });
  return (await Promise.all(flaws)).filter((found) => found !== null);
}

async function tokenFlaws({ endpoint, request, now }: Case): Promise<Flaw[]> {
  const { token } = endpoint.config.auth;
  if (token === null) return [];
  const name = token.header ?? DEFAULT_TOKEN_HEADER;
  const given = tokensOf(request.headers, name);
  if (given.length === 0) return [flaw(name, "token", "The token is missing.")];
  return (await isToken(endpoint, given, now)) ? [] : [flaw(name, "token", "The token is wrong.")];
}

async function isToken({ token }: Endpoint, given: string[], now: number): Promise<boolean> {
  return token !== null && (await matchesAny(given, validValues(token, now)));
}

/** What may be the token: the named header, also after `Bearer`, and Authorization as a bearer token. */
function tokensOf(headers: Headers, name: string): string[] {
  const named = headers.get(name);
  const found = [named, bearerOf(named), bearerOf(headers.get("Authorization"))];
  return [...new Set(found.filter((text) => text !== null))];
}

function bearerOf(header: string | null): string | null {
  return /^Bearer +(\S.*)$/i.exec(header ?? "")?.[1] ?? null;
}

const flaw = (path: string, rule: string, message: string): Flaw => ({ path, rule, message });
