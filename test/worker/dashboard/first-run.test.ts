import { describe, expect, it } from "vitest";
import * as z from "zod";
import { logPage } from "../../../src/contract/webhooks/log.ts";
import { AGENT, newAccount, send, untilStatus } from "../../support/worker/client.ts";
import { browse, signedIn } from "../../support/worker/dashboard.ts";
import { WEBHOOKS } from "../../support/worker/webhooks.ts";

const ROOT = "/dashboard/first-run";
const runs = z.object({
  executions: z.array(z.object({ executionId: z.string(), status: z.string() })),
});
const endpoints = z.object({
  endpoints: z.array(z.object({ endpointId: z.string(), url: z.string() })),
});
const workflows = z.object({ workflows: z.array(z.unknown()) });

/** Somebody who has just come to a new account. */
async function newcomer(settings: { credits?: number } = {}) {
  const { apiKey } = await newAccount(settings);
  const browser = await signedIn(apiKey);
  const read = async <Shape extends z.ZodType>(path: string, shape: Shape) =>
    shape.parse(await (await send(path, { token: apiKey })).json());
  return {
    ...browser,
    apiKey,
    page: async () => (await browser.get(ROOT)).text(),
    runs: async () => (await read(`${AGENT}/trigger/list`, runs)).executions,
    endpoints: async () => (await read(WEBHOOKS, endpoints)).endpoints,
    workflows: async () => (await read("/api/v1/workflows", workflows)).workflows,
    requests: async (endpointId: string) =>
      (await read(`${WEBHOOKS}/${endpointId}/requests`, logPage)).requests,
  };
}

describe("the first execution", () => {
  it("begins with a prompt that only has to be sent, and follows it to its end", async () => {
    const somebody = await newcomer();
    const before = await somebody.page();
    const prompt = /<textarea[^>]*>([^<]*)</.exec(before)?.[1] ?? "";
    expect(prompt).toContain("List distinct rows");
    const posted = await somebody.post(`${ROOT}/run`, { prompt: "Do it.", once: "a" });
    expect(posted.status).toBe(303);
    expect(posted.headers.get("Location")).toBe(ROOT);
    const [run] = await somebody.runs();
    const page = await somebody.page();
    expect(page).toContain(`/dashboard/executions/${run?.executionId}`);
    expect(page).not.toContain("<textarea");
  });

  it("starts one execution however often its form is sent", async () => {
    const somebody = await newcomer();
    const form = { prompt: "Do it.", once: crypto.randomUUID() };
    for (const _ of [1, 2]) expect((await somebody.post(`${ROOT}/run`, form)).status).toBe(303);
    expect(await somebody.runs()).toHaveLength(1);
  });

  it.each([
    ["nothing", {}, 400],
    ["an empty prompt", { prompt: "" }, 400],
    ["a prompt that is too long", { prompt: "x".repeat(32_001) }, 400],
  ])("says what is wrong with %s, keeps it, and starts nothing", async (_, form, status) => {
    const somebody = await newcomer();
    const response = await somebody.post(`${ROOT}/run`, form);
    expect(response.status).toBe(status);
    const page = await response.text();
    expect(page).toContain('role="alert"');
    expect(page).toContain('aria-invalid="true"');
    expect(page).toContain(`>${"prompt" in form ? form.prompt : ""}</textarea>`);
    expect(await somebody.runs()).toEqual([]);
  });

  it("says so where there are no credits", async () => {
    const somebody = await newcomer({ credits: 0 });
    const response = await somebody.post(`${ROOT}/run`, { prompt: "Do <it>." });
    expect(response.status).toBe(402);
    const page = await response.text();
    expect(page).toContain('role="alert"');
    expect(page).toContain("Do &lt;it&gt;.</textarea>");
  });

  it("can be begun again when its execution has failed", async () => {
    const somebody = await newcomer();
    await somebody.post(`${ROOT}/run`, { prompt: "Do it." });
    const [run] = await somebody.runs();
    const stop = `${AGENT}/trigger/${run?.executionId}/stop`;
    await send(stop, { method: "POST", token: somebody.apiKey });
    await untilStatus(somebody.apiKey, run?.executionId ?? "", "stopped");
    await expect.poll(() => somebody.page()).toContain("<textarea");
  });
});

describe("the first webhook", () => {
  it("has its endpoint and its workflow made once, by one button", async () => {
    const somebody = await newcomer();
    for (const _ of [1, 2]) {
      const made = await somebody.post(`${ROOT}/endpoint`);
      expect(made.headers.get("Location")).toBe(`${ROOT}#webhook`);
    }
    expect(await somebody.endpoints()).toHaveLength(1);
    expect(await somebody.workflows()).toHaveLength(1);
  });

  it("is let in as the page's form sends it, and as its command does", async () => {
    const somebody = await newcomer();
    await somebody.post(`${ROOT}/endpoint`);
    const page = await somebody.page();
    const action = /action="(\/hooks\/[^"]+)"/.exec(page)?.[1] ?? "";
    const unescaped = (text = "") => text.replaceAll("&quot;", '"').replaceAll("&#39;", "'");
    const payload = unescaped(/name="payload" value="([^"]*)"/.exec(page)?.[1]);
    expect((await browse(action, { form: { payload } })).status).toBe(202);
    const command = unescaped(/<pre id="curl"[^>]*>([^<]*)</.exec(page)?.[1]);
    const body = /-d '(.*)'$/.exec(command)?.[1];
    expect((await send(action, { method: "POST", body })).status).toBe(202);
    const [endpoint] = await somebody.endpoints();
    const requests = await somebody.requests(endpoint?.endpointId ?? "");
    const items = JSON.parse(payload).items;
    expect(requests.map(({ mappedInputs }) => mappedInputs)).toEqual([{ items }, { items }]);
  });

  it("shows once it is there", async () => {
    const somebody = await newcomer();
    await somebody.post(`${ROOT}/endpoint`);
    const page = await somebody.page();
    expect(page).toContain("Waiting for the first request.");
    const stream = await somebody.follow(page);
    await stream.next("changed");
    const [endpoint] = await somebody.endpoints();
    await send(`/hooks/${endpoint?.endpointId}`, { method: "POST", body: { items: [] } });
    await stream.next("changed");
    await stream.close();
    expect(await somebody.page()).toContain("View request</a>");
  });

  it("offers no sample that the endpoint would refuse", async () => {
    const somebody = await newcomer();
    const body = { name: "<signed>", auth: { hmac: { preset: "github", secret: "x".repeat(20) } } };
    await send(WEBHOOKS, { method: "POST", token: somebody.apiKey, body });
    const page = await somebody.page();
    expect(page).not.toContain('action="/hooks/');
    expect(page).toContain("Send a request to &lt;signed&gt;");
  });
});
