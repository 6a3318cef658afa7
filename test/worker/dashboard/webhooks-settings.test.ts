import { describe, expect, it } from "vitest";
import { githubRequest } from "../../support/webhooks.ts";
import { type EndpointRoom, leadsTo, newEndpointRoom } from "../../support/worker/endpoint-room.ts";
import { formOn, textOf } from "../../support/worker/forms.ts";

/** Sends one of the settings' forms as it is shown, with some controls changed. */
async function save(
  { page, me }: EndpointRoom,
  end: string,
  changed: Record<string, string> = {},
  without: string[] = [],
): Promise<Response> {
  const { action, fields } = formOn(await page("/settings"), end);
  const sent = Object.entries({ ...fields, ...changed }).filter(
    ([name]) => !without.includes(name),
  );
  return me.post(action, Object.fromEntries(sent));
}

/** Loads the page that a form leads to, which shows secrets this once. */
async function shownOnce({ me }: EndpointRoom, answer: Response): Promise<string> {
  const path = leadsTo(answer);
  const html = await (await me.get(path)).text();
  const again = await (await me.get(path)).text();
  for (const id of ["made-secret", "made-token"]) expect(textOf(again, id)).toBeNull();
  return html;
}

/** A request of GitHub; its Content-Type is that of every request here. */
function hubRequest(secret: string) {
  const { body, headers } = githubRequest(secret, "{}");
  const { "content-type": _, ...rest } = headers;
  return { body, headers: rest };
}

const ALL = {
  name: "shop",
  methods: ["POST", "GET"],
  auth: {
    token: { header: "X-Key", secret: "the token 12345678" },
    hmac: {
      header: "X-Sig",
      template: "{timestamp}.{body}",
      timestampHeader: "X-Time",
      prefix: "",
    },
    ipAllowlist: ["203.0.113.0/24", "2001:db8::/32"],
    headers: [{ name: "X-Env", value: "production of ours" }, { name: "X-Source" }],
  },
  eventId: { in: "header", path: "X-Event" },
  replayProtection: { enabled: true, toleranceSeconds: 60, timestamp: { in: "body", path: "at" } },
  onDuplicate: "run",
  retentionDays: 7,
  requestsPerMinute: 100,
  response: { status: 200, headers: { "X-Shop": "north" }, body: "OK {{requestId}}" },
  split: { path: "entry[*].changes" },
};

/** Settings that the forms keep but do not show. */
const KEPT = {
  name: "alarms",
  auth: {
    token: { preset: "figma", secret: "the token 12345678" },
    signature: { preset: "aws-sns", audience: "arn:aws:sns:us-east-1:123456789012:alarms" },
  },
};

/** Settings of tokens, of which the forms show a part. */
const TOKENS = {
  name: "tokens",
  auth: {
    hmac: { form: "jwt", header: "X-Token", prefix: "", bodyClaim: "body_sha256" },
    signature: {
      algorithm: "jwt",
      in: "body",
      header: "signed",
      jwksUrl: "https://sender.example/keys",
      issuer: "https://sender.example",
      maxAgeSeconds: null,
    },
  },
};

describe("the settings of an endpoint", () => {
  it.each([
    ["everything", ALL],
    ["what no control shows", KEPT],
    ["tokens of other forms", TOKENS],
  ])("change nothing if they are saved as shown, with %s", async (_, settings) => {
    const room = await newEndpointRoom(settings);
    const { updatedAt: __, ...before } = await room.record();
    expect(leadsTo(await save(room, "/settings"))).toBe(`${room.at}/settings?saved=1`);
    const { updatedAt: ___, ...after } = await room.record();
    expect(after).toEqual(before);
    expect(await room.page("/settings?saved=1")).toContain("Settings saved.");
  });

  it("take the new values, and lose the removed ones", async () => {
    const room = await newEndpointRoom({ ...ALL, path: null });
    const { fields } = formOn(await room.page("/settings"), "/settings");
    const scheme = JSON.stringify({ ...JSON.parse(fields["auth.hmac"] ?? ""), header: "X-Other" });
    const changed = {
      name: "renamed",
      path: `acme/${crypto.randomUUID()}`,
      requestsPerMinute: "5",
      retentionDays: "90",
      onDuplicate: "skip",
      eventId: '{"in": "body", "path": "event.id"}',
      replayProtection: '{"enabled": false, "toleranceSeconds": 30, "timestamp": null}',
      "auth.hmac": scheme,
      "auth.ipAllowlist": "",
      "auth.headers[0].any": "on",
    };
    leadsTo(await save(room, "/settings", changed, ["methods.GET", "token"]));
    const after = await room.record();
    expect(after.auth.hmac).toMatchObject({ ...ALL.auth.hmac, header: "X-Other" });
    expect(after.auth).toMatchObject({ headers: [{ name: "X-Env" }, { name: "X-Source" }] });
    expect(after.auth).not.toHaveProperty("token");
    expect(after.auth).not.toHaveProperty("ipAllowlist");
    expect(after).toMatchObject({
      name: "renamed",
      path: changed.path,
      methods: ["POST"],
      requestsPerMinute: 5,
      retentionDays: 90,
      onDuplicate: "skip",
      eventId: { in: "body", path: "event.id" },
      replayProtection: { enabled: false, toleranceSeconds: 30, timestamp: null },
    });
  });

  it("that are invalid keep the input, each with its error", async () => {
    const room = await newEndpointRoom();
    const changed = {
      name: "",
      retentionDays: "many",
      eventId: '{"in": "header", "path": "a b"}',
      path: "guess/me",
    };
    const response = await save(room, "/settings", changed, ["methods.POST", "methods.GET"]);
    expect(response.status).toBe(400);
    const html = await response.text();
    for (const name of ["name", "retentionDays", "eventId"]) {
      expect(textOf(html, `${name}-error`), name).not.toBeNull();
    }
    expect(textOf(html, "methods")).toContain("Is required.");
    expect(formOn(html, "/settings").fields).toMatchObject(changed);
    const open = await save(room, "/settings", { path: "guess/me" });
    expect(await open.text()).toContain("Is required with a custom path, which can be guessed");
    expect((await room.record()).path).toBeNull();
  });
});

describe("authentication", () => {
  it("changes one part and keeps the secrets of the others", async () => {
    const secret = "a secret of the hub";
    const room = await newEndpointRoom({
      auth: {
        hmac: { preset: "github", secret },
        headers: [{ name: "X-Env", value: "production of ours" }],
      },
    });
    leadsTo(await save(room, "/settings", { "auth.ipAllowlist": "127.0.0.1" }));
    expect((await room.record()).auth.headers).toEqual([
      { name: "X-Env", value: { set: true, last4: "ours" } },
    ]);
    leadsTo(await save(room, "/settings", { "auth.ipAllowlist": "" }));
    const { body, headers } = hubRequest(secret);
    const wrong = await room.endpoint.hook(body, { headers: { ...headers, "X-Env": "test" } });
    expect(wrong.status).toBe(401);
    const right = await room.endpoint.hook(body, {
      headers: { ...headers, "X-Env": "production of ours" },
    });
    expect(right.status).toBe(202);
  });

  it("is restored with an earlier revision, and a lost secret is generated and shown", async () => {
    const room = await newEndpointRoom(ALL);
    leadsTo(await save(room, "/settings", { signature: "" }));
    const { fields, action } = formOn(await room.page("/revisions"), "/restore");
    const html = await shownOnce(room, await room.me.post(action, fields));
    expect(textOf(html, "made-secret")?.trim()).toMatch(/^[\w-]{43}$/);
    expect((await room.record()).auth.hmac).toMatchObject({ header: "X-Sig" });
    expect(await room.page("/revisions")).toContain("auth");
  });
});

describe("rotating the secret", () => {
  it("shows the new one once, and how long the old one is valid", async () => {
    const secret = "a secret of the hub";
    const room = await newEndpointRoom({ auth: { hmac: { preset: "github", secret } } });
    const { action, fields } = formOn(await room.page("/settings"), "/secret");
    const rotated = await room.me.post(action, { ...fields, overlapSeconds: "3600" });
    const html = await shownOnce(room, rotated);
    const next = textOf(html, "made-secret")?.trim() ?? "";
    expect(next).toMatch(/^[\w-]{43}$/);
    expect(await room.page()).toContain(">previousValidUntil</dt>");
    expect(await room.page()).not.toContain(next);
    for (const key of [secret, next]) {
      const { body, headers } = hubRequest(key);
      expect((await room.endpoint.hook(body, { headers })).status).toBe(202);
    }
  });

  it("shows the error of a pasted one", async () => {
    const room = await newEndpointRoom({ auth: { hmac: { preset: "standard-webhooks" } } });
    const form = { secret: "whsec_%%", overlapSeconds: "0" };
    const html = await (await room.me.post(`${room.at}/secret`, form)).text();
    expect(textOf(html, "secret-error")).toContain("Must be encoded as base64 after whsec_");
    expect(html).not.toContain("whsec_%%");
  });
});
