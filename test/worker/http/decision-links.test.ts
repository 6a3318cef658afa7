import { exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { signLink } from "../../../src/accounts/decision-notices.ts";
import { decisionRecord } from "../../../src/contract/decisions.ts";
import { settingsOf } from "../../../src/env.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import {
  allPages,
  anyAddress,
  callsOf,
  env,
  ORIGIN,
  resultOf,
  textIn,
} from "../../support/worker/client.ts";
import { ownMailServer } from "../../support/worker/mail.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { hiddenIn } from "../../support/worker/runs.ts";

const { accountId, apiKey, status, ended, paying } = await openOffice();

const { post } = callsOf(apiKey);

const newEmail = () => `${crypto.randomUUID()}@example.com`;

/** Reads quoted-printable (RFC 2045). */
const readable = (raw: string) =>
  raw
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The mails of an address, once there are so many. */
const mailsTo = (email: string, count = 1) =>
  vi.waitFor(
    async () => {
      const { mails } = await ownMailServer().seen();
      const found = mails.filter(({ to }) => to.includes(email)).map(({ raw }) => readable(raw));
      if (found.length < count) throw new Error(`${found.length} mails`);
      return found;
    },
    { timeout: 15_000, interval: 100 },
  );

const linkIn = (mail: string) => /\/decide\/[\w.-]+/.exec(mail)?.[0] ?? "";

const open = (path: string, { headers, ...init }: RequestInit = {}) =>
  exports.default.fetch(`${ORIGIN}${path}`, {
    ...init,
    headers: { "CF-Connecting-IP": anyAddress(), ...headers },
  });

/** Sends the form of a link's page, as a browser does. */
async function answer(path: string, fields: Record<string, string>, headers = {}) {
  const nonce = hiddenIn(await (await open(path)).text(), "nonce");
  const body = new URLSearchParams({ nonce, ...fields });
  return open(path, { method: "POST", body, headers: { Origin: ORIGIN, ...headers } });
}

/** An execution that asks whether it may pay, and the mail to who decides. */
async function asking(changes: Record<string, unknown> = {}, recipient: object = {}) {
  const email = newEmail();
  const run = await paying({ notify: [{ email, ...recipient }], ...changes });
  const [mail = ""] = await mailsTo(email);
  return { ...run, email, mail, path: linkIn(mail) };
}

const isOpen = async (id: string) => (await status(id)).status === "waiting_for_input";

const record = async (id: string) => {
  const path = "/api/v1/decisions?limit=100";
  const all = await allPages(apiKey, path, "decisions", decisionRecord);
  return all.find(({ executionId }) => executionId === id);
};
const decisionOf = async (id: string) => (await record(id))?.decisionId ?? "";

describe("a link to a decision", () => {
  it("is mailed with the exact call, the requester and the deadline", async () => {
    const { id, mail, input, email } = await asking();
    const decision = await record(id);
    for (const text of [
      input.url,
      '"amount": 5',
      decision?.expiresAt,
      decision?.promptPreview.slice(0, 40),
    ]) {
      expect(mail).toContain(text);
    }
    expect(mail).toMatch(/<msg_dec_\w+_requested_n0@/);
    expect(mail).toContain(`To: ${email}`);
  });

  it("decides nothing when a mail scanner opens it repeatedly, or another site sends its form", async () => {
    const { id, path, site } = await asking();
    for (const method of ["GET", "HEAD", "GET", "OPTIONS"]) await open(path, { method });
    const page = await open(path);
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(page.headers.get("X-Robots-Tag")).toBe("noindex");
    // A scanner that posts what it finds has no page of ours behind it.
    const nonce = hiddenIn(await page.text(), "nonce");
    const body = new URLSearchParams({ nonce, decision: "approve" });
    expect((await open(path, { method: "POST", body })).status).toBe(403);
    // The form of another site is refused, by a page that keeps its address secret as well.
    const Origin = "https://mail.example";
    for (const foreign of [{ Origin }, { Origin, "Sec-Fetch-Site": "cross-site" }]) {
      const { status, headers } = await answer(path, { decision: "approve" }, foreign);
      expect(status).toBe(403);
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("X-Robots-Tag")).toBe("noindex");
    }
    expect((await answer(path, { nonce: "1.x", decision: "approve" })).status).toBe(400);
    expect(await isOpen(id)).toBe(true);
    expect(await site.letters()).toEqual([]);
  });

  it("approves by its form once, in the name of its recipient", async () => {
    const { id, path, email, site } = await asking();
    const done = await answer(path, { decision: "approve" });
    expect(done.status).toBe(200);
    expect(await done.text()).toContain(`Already approved by ${email} at `);
    await ended(id);
    expect(await site.letters()).toHaveLength(1);
    expect(await record(id)).toMatchObject({ via: "link", by: { kind: "link", name: email } });
    const again = await open(path, { method: "POST", headers: { Origin: ORIGIN } });
    expect(again.status).toBe(200);
    expect(await again.text()).toContain(`Already approved by ${email} at `);
  });

  it("edits the call: shows faults at their fields, and the difference beforehand", async () => {
    const { id, path, site, input, email } = await asking();
    const decisionId = await decisionOf(id);
    const typed = (fields: Record<string, string>) =>
      Object.fromEntries(
        Object.entries({ method: "POST", url: input.url, ...fields }).map(([name, value]) => [
          `input.${name}~${decisionId}`,
          value,
        ]),
      );
    const wrong = typed({ body: '{"amount": 3' });
    const refused = await answer(path, { decision: "review", ...wrong });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(`id="input.body~${decisionId}-error"`);
    const bad = await answer(path, { decision: "change", ...typed({ method: "NOPE" }) });
    expect(bad.status).toBe(422);
    expect(await bad.text()).toContain(`id="input.method~${decisionId}-error"`);
    const right = typed({ body: '{"amount": 3, "to": "ann"}' });
    // They are shown first, also where somebody presses Approve.
    for (const decision of ["review", "approve"]) {
      const review = await (await answer(path, { decision, ...right })).text();
      expect(review).toMatch(/<dt>body\.amount<\/dt>\s*<dd[^>]*><del>5<\/del> <ins>3<\/ins>/);
    }
    expect(await isOpen(id)).toBe(true);
    expect((await answer(path, { decision: "change", ...right })).status).toBe(200);
    await ended(id);
    expect((await site.letters()).map(({ body }) => body)).toEqual(['{"amount":3,"to":"ann"}']);
    expect((await resultOf(apiKey, id)).effects).toMatchObject([
      { askedInput: input, approvedBy: { name: email } },
    ]);
  });

  it("that is altered, foreign or expired shows the reason, and decides nothing", async () => {
    const { id, path } = await asking();
    const decisionId = await decisionOf(id);
    const { ID_KEY } = settingsOf(env);
    const link = { accountId, decisionId, recipient: "n0", expiresAt: Date.now() + 60_000 };
    const theirs = btoa("x".repeat(32));
    const signed = async (changes: object, keys = ID_KEY) =>
      `/decide/${await signLink({ ...link, ...changes }, keys)}`;
    const changed = `${path.slice(0, -3)}${path.at(-3) === "A" ? "B" : "A"}${path.slice(-2)}`;
    const cases: [string, number, RegExp][] = [
      [changed, 404, /was changed/],
      [await signed({}, [theirs]), 404, /belongs to another service/],
      [await signed({ recipient: "n7" }), 403, /somebody else/],
      [await signed({ expiresAt: 1 }), 410, /expired/],
      [await signed({ decisionId: `${decisionId}0` }), 410, /no longer/],
    ];
    for (const [bad, code, why] of cases) {
      const page = await open(bad);
      expect(page.status, bad).toBe(code);
      expect(await page.text()).toMatch(why);
      const sent = { method: "POST", body: new URLSearchParams({ decision: "approve" }) };
      expect((await open(bad, { ...sent, headers: { Origin: ORIGIN } })).status, bad).toBe(code);
    }
    expect(await isOpen(id)).toBe(true);
  });

  it("asks for the code sent to the same address, if required", async () => {
    const { id, path, email, site } = await asking({}, { requireCode: true });
    const page = await (await answer(path, { decision: "approve" })).text();
    expect(page).toContain(`sent to ${email}`);
    expect(hiddenIn(page, "decision")).toBe("approve");
    expect(await isOpen(id)).toBe(true);
    const [, mail = ""] = await mailsTo(email, 2);
    const code = /(\d{6}) is your code/.exec(mail)?.[1] ?? "";
    const wrong = code === "000000" ? "000001" : "000000";
    expect((await answer(path, { decision: "approve", code: wrong })).status).toBe(422);
    expect(await isOpen(id)).toBe(true);
    expect((await answer(path, { decision: "approve", code })).status).toBe(200);
    await ended(id);
    expect(await site.letters()).toHaveLength(1);
  });
});

it("people who do not answer are reminded once, and the decision is escalated", async () => {
  const boss = newEmail();
  const { id, email } = await asking({ remindAfterSeconds: 1, escalateTo: [{ email: boss }] });
  const [, reminder = ""] = await mailsTo(email, 2);
  expect(reminder).toMatch(/^Reminder: Approval: /m);
  const [escalated = ""] = await mailsTo(boss);
  expect((await answer(linkIn(escalated), { decision: "deny" })).status).toBe(200);
  await ended(id);
  expect(await record(id)).toMatchObject({ by: { name: boss }, remindedAt: expect.any(String) });
  expect(await mailsTo(email, 2)).toHaveLength(2);
});

it.each(["slack", "standard"])(
  "a destination gets a decision in the format %s, with its own link",
  async (format) => {
    const hook = mailbox();
    const body = { name: "Finance", format, url: hook.url };
    const destinationId = await textIn(await post("/api/v1/destinations", body), "destinationId");
    const { id } = await paying({ notify: [{ destinationId }] });
    const [letter] = await hook.letters(1);
    const text = letter?.body ?? "";
    expect(text).toContain(format === "standard" ? "decision.requested" : "amount");
    expect(text).toContain(await decisionOf(id));
    expect((await answer(linkIn(text), { decision: "deny" })).status).toBe(200);
    const by = { id: destinationId, name: "Finance" };
    expect(await record(id)).toMatchObject({ via: "link", by });
    await ended(id);
  },
);

it.each(["notify", "escalateTo"])(
  "refuses in %s a destination that the account does not have",
  async (field) => {
    const told = { [field]: [{ destinationId: "dst_unknown" }], remindAfterSeconds: 60 };
    const answers = [
      await post("/api/v1/agent/trigger", { prompt: "Pay.", ...told }),
      await post("/api/v1/workflows", { name: "Pay", prompt: "Pay.", inputs: [], ...told }),
    ];
    for (const refused of answers) {
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({
        errors: [{ path: "notify", rule: "destination" }],
      });
    }
  },
);
