import { describe, expect, it } from "vitest";
import { scopesOfRole } from "../../../src/contract/keys.ts";
import { newKey } from "../../support/worker/client.ts";
import { signedIn } from "../../support/worker/dashboard.ts";
import { leadsTo, newEndpointRoom } from "../../support/worker/endpoint-room.ts";
import { formOn } from "../../support/worker/forms.ts";

const INPUTS = [
  { name: "id", type: "string" as const, required: true },
  { name: "total", type: "number" as const },
];

/** Replays from the page of an entry; answers the id of the entry that the browser is led to. */
async function replayed(
  { me, log }: Awaited<ReturnType<typeof newEndpointRoom>>,
  requestId: string,
  form: Record<string, string> = {},
): Promise<string> {
  const location = leadsTo(await me.post(`${log}/${requestId}/replay`, form));
  expect(location.startsWith(`${log}/`)).toBe(true);
  return location.slice(log.length + 1);
}

/** What a page's form for another payload holds. */
const editable = (page: string) => formOn(page, "/replay").fields.payload ?? "none";

describe("a replay", () => {
  it("links its own entry, which links back", async () => {
    const room = await newEndpointRoom({}, INPUTS);
    const original = await room.endpoint.take({ id: "evt_1", total: 3 });
    const requestId = await replayed(room, original);
    const entry = await room.endpoint.entry(requestId);
    expect(entry).toMatchObject({ replayOf: original, edited: false, duplicate: false });
    const page = await room.entry(requestId);
    expect(page).toContain(`href="${room.log}/${original}"`);
    expect(page).toContain(", unchanged");
    expect(page).toContain("HTTP 202");
    expect(page).toContain(">Size, Content type, Parsing, Validation, Mapping</p>");
  });

  it("accepts another payload, and keeps its digits", async () => {
    const room = await newEndpointRoom({}, INPUTS);
    const original = await room.endpoint.take('{"id": 12345678901234567890, "total": 3}');
    const payload = editable(await room.entry(original));
    expect(payload).toBe('{\n  "id": 12345678901234567890,\n  "total": 3\n}');
    const requestId = await replayed(room, original, {
      do: "edited",
      payload: payload.replace("3\n", "7.5\n").replaceAll("\n", "\r\n"),
    });
    expect(await room.endpoint.entry(requestId)).toMatchObject({
      edited: true,
      replayOf: original,
      mappedInputs: { id: "12345678901234567890", total: 7.5 },
    });
    expect(await room.entry(requestId)).toContain(", edited");
  });

  it("reports invalid JSON at its field, and keeps it", async () => {
    const room = await newEndpointRoom();
    const original = await room.endpoint.take({ id: "evt_1" });
    for (const payload of ["", '{"id": 1, "id": 2}']) {
      const form = { do: "edited", payload };
      const answer = await room.me.post(`${room.log}/${original}/replay`, form);
      expect(answer.status).toBe(400);
      const page = await answer.text();
      expect(page).toContain('id="payload-error"');
      expect(page).toContain('<details class="editor" open');
      expect(editable(page)).toBe(payload);
    }
    expect((await room.endpoint.log()).requests).toHaveLength(1);
  });

  it("refused by the current rules shows the reason, and the log entry", async () => {
    const room = await newEndpointRoom({}, INPUTS);
    const original = await room.endpoint.take({ id: "evt_1" });
    await room.endpoint.change({ validation: { required: ["order.id"] } });
    for (const form of [{}, { do: "edited", payload: '{"id": "evt_2"}' }]) {
      const answer = await room.me.post(`${room.log}/${original}/replay`, form);
      expect(answer.status).toBe(422);
      const page = await answer.text();
      expect(page).toContain("<code>order.id</code>");
      const atField = /id="payload-error"[^>]*>([^<]*)/.exec(page)?.[1];
      expect(atField?.startsWith("order.id: ")).toBe("payload" in form || undefined);
      expect(/<textarea[^>]* autofocus/.test(page)).toBe("payload" in form);
      const [newest] = (await room.endpoint.log()).requests;
      expect(newest).toMatchObject({ status: "rejected", replayOf: original });
      expect(page).toContain(`href="${room.log}/${newest?.requestId}"`);
    }
  });

  it("of an unauthenticated request needs a confirmation", async () => {
    const auth = { hmac: { preset: "github" as const, secret: "the secret of tests" } };
    const room = await newEndpointRoom({ auth }, INPUTS);
    const refused = await room.endpoint.hook({ id: "evt_1" });
    const original = refused.headers.get("X-Request-Id") ?? "";
    const [box = ""] =
      /<input[^>]*name="acceptUnverified"[^>]*>/.exec(await room.entry(original)) ?? [];
    expect(box).toContain("required");
    const without = await room.me.post(`${room.log}/${original}/replay`, {});
    expect(without.status).toBe(409);
    const acceptUnverified = /value="([^"]*)"/.exec(box)?.[1] ?? "on";
    const requestId = await replayed(room, original, { acceptUnverified });
    expect(await room.endpoint.entry(requestId)).toMatchObject({
      replayOf: original,
      mappedInputs: { id: "evt_1" },
    });
  });

  it("is offered to the roles that may replay, and to no other", async () => {
    const room = await newEndpointRoom({}, INPUTS);
    const original = await room.endpoint.take({ id: "evt_1", total: 3 });
    const path = `${room.log}/${original}`;
    for (const role of ["operator", "viewer"] as const) {
      const scopes = scopesOfRole(role);
      const { apiKey } = await newKey(room.endpoint.apiKey, { name: role, scopes });
      const reader = await signedIn(apiKey);
      const page = await reader.read(path);
      const isOffered = page.includes("Replay unchanged") && page.includes('href="#replay"');
      const { status } = await reader.post(`${path}/replay`, {});
      expect([role, isOffered, status]).toEqual(
        role === "operator" ? [role, true, 303] : [role, false, 403],
      );
    }
  });
});
