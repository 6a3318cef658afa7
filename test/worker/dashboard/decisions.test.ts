import { describe, expect, it, vi } from "vitest";
import type { DecisionRecord } from "../../../src/contract/decisions.ts";
import { send, untilStatus } from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { DONE, newReader, type Reader } from "../../support/worker/runs.ts";

const openOf = ({ apiKey }: Reader, count = 1) =>
  vi.waitFor(
    async () => {
      const response = await send("/api/v1/decisions?state=open", { token: apiKey });
      const { decisions } = (await response.json()) as { decisions: DecisionRecord[] };
      if (decisions.length < count) throw new Error("not listed yet");
      return decisions;
    },
    { timeout: 30_000 },
  );

/** A reader in front of a run that asks whether it may pay. */
async function paying() {
  const reader = await newReader();
  const shop = mailbox();
  const input = { method: "POST", url: shop.url, body: { amount: 5 } };
  const calls = [{ tool: "http_request", input, id: "pay" }];
  const id = await reader.start([{ calls }, DONE], { approvals: ["http_request"] });
  const [decision] = await openOf(reader);
  const decisionId = decision?.decisionId ?? "";
  const decide = (fields: Record<string, string>, from = "/dashboard/decisions") => {
    const named = Object.entries(fields).map(([name, value]): [string, string] => [
      name === "decision" ? name : `${name}~${decisionId}`,
      value,
    ]);
    return reader.session.post(`/dashboard/decisions/${decisionId}`, Object.fromEntries(named), {
      Referer: `http://localhost${from}`,
    });
  };
  return { ...reader, id, shop, decisionId, decide };
}

describe("the page of decisions", () => {
  it("lists open decisions by deadline, and answered ones below", async () => {
    const reader = await newReader();
    const asks = (question: string) => ({ calls: [{ tool: "ask_user", input: { question } }] });
    const ask = (question: string, inputTimeoutSeconds: number) =>
      reader.start([asks(question), DONE], { interactive: true, inputTimeoutSeconds });
    await ask("Later?", 900);
    await ask("Sooner?", 600);
    const decisions = await openOf(reader, 2);
    const page = await reader.session.read("/dashboard/decisions");
    expect(page.indexOf("Sooner?")).toBeLessThan(page.indexOf("Later?"));
    const sooner = decisions.find(({ title }) => title === "Sooner?")?.decisionId ?? "";
    const values = { [`answer~${sooner}`]: "Yes" };
    await reader.session.post(`/dashboard/decisions/${sooner}`, values);
    const after = await reader.session.read("/dashboard/decisions");
    expect(after.indexOf("Sooner?")).toBeGreaterThan(after.indexOf("Later?"));
    expect(after).toContain("Already answered by");
  });

  it("is linked from the overview, which never shows a wait for a machine", async () => {
    const reader = await paying();
    const page = await reader.session.read("/dashboard");
    expect(page).toContain(`href="/dashboard/decisions/${reader.decisionId}"`);
    await reader.decide({ decision: "deny" });
    expect(await reader.session.read("/dashboard")).not.toContain("Requires action");
  });
});

describe("a decision", () => {
  it("shows its exact call, and is approved in place with a comment", async () => {
    const { apiKey, id, shop, decide, decisionId, read } = await paying();
    const page = await read(`/${id}`);
    expect(page).toContain("Approve this call of http_request?");
    expect(page).toMatch(new RegExp(`<dt>method</dt><dd>POST<.*>${shop.url}<`));
    expect(page).toContain("<dt>amount</dt><dd>5</dd>");
    expect(page).toContain("&quot;amount&quot;: 5");
    const form = { decision: "approve", comment: "Fine." };
    const response = await decide(form, `/dashboard/executions/${id}`);
    expect(response.headers.get("Location")).toBe(`/dashboard/executions/${id}#status`);
    await untilStatus(apiKey, id, "completed");
    expect(await shop.letters(1)).toHaveLength(1);
    const decision = await send(`/api/v1/decisions/${decisionId}`, { token: apiKey });
    expect(await decision.json()).toMatchObject({ comment: "Fine.", via: "dashboard" });
  });

  it("that somebody else answered shows the valid answer, and keeps the input", async () => {
    const { apiKey, decide, decisionId } = await paying();
    const body = { decision: "deny" };
    await send(`/api/v1/decisions/${decisionId}`, { method: "POST", token: apiKey, body });
    const response = await decide({ decision: "approve", comment: "Go ahead" });
    expect(response.status).toBe(409);
    const page = await response.text();
    expect(page).toMatch(/Already denied by .+ at/);
    expect(page).toContain("You wrote: Go ahead");
  });
});
