import { describe, expect, it } from "vitest";
import { apiKeyRecord, SCOPES } from "../../../src/contract/keys.ts";
import { allPages, newKey, send } from "../../support/worker/client.ts";
import { newBrowser } from "../../support/worker/dashboard.ts";

const KEYS = "/dashboard/keys";
const LATER = "2126-01-01T00:00";

/** A browser that has signed in with the first key of an account, and the keys of that. */
async function newRoom() {
  const { me: session, ...account } = await newBrowser();
  const list = () => allPages(account.apiKey, "/api/v1/keys?limit=100", "keys", apiKeyRecord);
  const read = (path = KEYS) => session.read(path);
  return { ...account, session, list, read };
}

/** The text of the key that a page shows. */
function shownKey(page: string): string {
  return /ph_live_[0-9A-Za-z]+/.exec(page)?.[0] ?? "none";
}

const ticked = (...scopes: string[]) =>
  Object.fromEntries(scopes.map((scope) => [`scopes.${scope}`, "on"]));

describe("creating a key", () => {
  it("gives it the selected scopes and expiry, and shows it once", async () => {
    const { session, list, read } = await newRoom();
    const form = { name: "ci", expiresAt: LATER, ...ticked("webhooks:read", "credits:read") };
    const answer = await session.post(KEYS, form);
    const path = answer.headers.get("Location") ?? "";
    const flash = answer.headers.get("Set-Cookie") ?? "";
    expect(flash).toMatch(/HttpOnly/i);
    const apiKey = shownKey(await read(path));
    expect(`${path} ${flash}`).not.toContain(apiKey);
    expect((await session.get(path)).headers.get("Location")).toBe(KEYS);
    expect(await list()).toHaveLength(2);
    expect((await send("/api/v1/webhooks", { token: apiKey })).status).toBe(200);
    expect((await send("/api/v1/workflows", { token: apiKey })).status).toBe(403);
    const made = (await list()).find(({ name }) => name === "ci");
    expect(made?.scopes.toSorted()).toEqual(["credits:read", "webhooks:read"]);
    expect(made?.expiresAt).toBe(`${LATER}:00.000Z`);
    const page = await read();
    expect(page).toContain(`<strong>ci</strong> <code>…${apiKey.slice(-4)}</code>`);
    expect(page).not.toContain(apiKey);
  });

  it("offers every scope with a description, all selected", async () => {
    const { session, list, read } = await newRoom();
    const page = await read(`${KEYS}/new`);
    for (const scope of SCOPES) expect(page).toContain(`>${scope}</label>`);
    expect(page.match(/type="checkbox"[^>]*checked/g)).toHaveLength(SCOPES.length);
    await session.post(KEYS, { name: "all", ...ticked(...SCOPES) });
    const made = (await list()).find(({ name }) => name === "all");
    expect(made).toMatchObject({ scopes: [...SCOPES], expiresAt: null });
  });

  it("refuses a key without scopes, and keeps the input", async () => {
    const { session, list } = await newRoom();
    const answer = await session.post(KEYS, { name: "x".repeat(101), expiresAt: LATER });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain('id="name-error"');
    expect(page).toMatch(/id="scopes-error"[^>]*>\s*Is required\./);
    expect(page).toContain(`value="${LATER}"`);
    expect(await list()).toHaveLength(1);
  });
});

describe("revoking a key", () => {
  it("confirms with its name and last use, then revokes it", async () => {
    const { apiKey, session, read } = await newRoom();
    const other = await newKey(apiKey, { name: "ci" });
    const page = await read(`${KEYS}/${other.keyId}/revoke`);
    expect(page).toContain("Revoke ci?");
    expect(page).toContain("<dd>never</dd>");
    expect(page).not.toContain("signs you out");
    expect((await send("/api/v1/webhooks", { token: other.apiKey })).status).toBe(200);
    const answer = await session.post(`${KEYS}/${other.keyId}/revoke`);
    expect(answer.headers.get("Location")).toBe(`${KEYS}?done=deleted`);
    expect((await send("/api/v1/webhooks", { token: other.apiKey })).status).toBe(401);
    expect(await read(`${KEYS}?done=deleted`)).not.toContain(`/${other.keyId}/`);
  });

  it("warns when it is the reader's own", async () => {
    const { keyId, apiKey, read } = await newRoom();
    expect(await read(`${KEYS}/${keyId}/revoke`)).toContain("signs you out");
    const page = await read();
    expect(page.match(/You are signed in with this key/g)).toHaveLength(1);
    expect(page).toContain(`…${apiKey.slice(-4)}`);
  });
});
