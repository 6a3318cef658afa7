import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { fillAccount } from "../../support/browser/full-account.ts";
import { look, lookAround } from "../../support/browser/looks.ts";
import { MEMBER, OTHER_MEMBER, signInLink } from "../../support/browser/outbox.ts";
import { PAGES } from "../../support/browser/pages.ts";
import { openRunRoom } from "../../support/browser/run-room.ts";
import { startServer } from "../../support/server.ts";
import { startSite } from "../../support/site/server.ts";
import { untilEnd } from "../../support/until-end.ts";

const room = await openRunRoom({ hasOutbox: true });
const site = await untilEnd(startSite());
/** A server that never answers. */
const mute = await untilEnd(startServer(() => {}));
/** Windows of a member of the account, who sees its settings, and of somebody who has not signed in. */
let member: Page;
let stranger: Page;
/** What the parameters of pages stand for. */
let parameters: Record<string, string>;

beforeAll(async () => {
  const { url } = room.dashboard;
  const { apiKey } = await room.dashboard.account();
  const outside = { model: room.model, url, slow: mute.origin, prices: `${site.origin}/prices` };
  const filled = await fillAccount(new Prompthook({ baseUrl: url, apiKey }), outside);
  [member, stranger] = await Promise.all([room.dashboard.visit(), room.dashboard.visit()]);
  await member.goto(await signInLink(url, MEMBER));
  await member.getByRole("button", { name: "Sign in" }).click();
  await member.waitForURL("**/dashboard");
  const form = { name: "laptop", "scopes.executions:read": "on" };
  const sent = { form, headers: { origin: url }, maxRedirects: 0 };
  const created = (await member.context().request.post("/dashboard/keys", sent)).headers();
  const [, made = ""] = /\/keys\/(\w+)\/created/.exec(created.location ?? "") ?? [];
  const signIn = (await signInLink(url, OTHER_MEMBER)).split("/").at(-1) ?? "";
  parameters = { ...filled, made, signIn };
});

test.each(PAGES)("%s reads well on a wide screen and in the dark on a phone", async (page) => {
  const isPublic = /\/(?:sign-in|outbox|decide|s)\b/.test(page.replace(/\?.*/, ""));
  const path = page.replaceAll(/:(\w+)/g, (_, name: string) => parameters[name] ?? "");
  const name = page.replace(/^\//, "").replaceAll(/\W+/g, "-");
  await lookAround(isPublic ? stranger : member, { [name]: path });
});

test.each(["webhooks", "conventions", "client"])("the guide %s reads well", async (name) => {
  await lookAround(stranger, { [`docs-${name}`]: `/docs/${name}` });
});

test("the API reference reads well, with an operation opened", async () => {
  await stranger.goto("/docs#getOwnAccount");
  await stranger.getByText("Responses", { exact: true }).first().waitFor();
  await look(stranger, "docs-reference");
});

test("long names without a blank wrap in the lists", async () => {
  const { apiKey } = await room.dashboard.account();
  const api = new Prompthook({ baseUrl: room.dashboard.url, apiKey });
  const name = "customer_onboarding_".repeat(5);
  const { workflowId } = await api.workflows.create({ name, prompt: "Say hello." });
  const { url } = await api.webhooks.create({ name, workflowId });
  await api.schedules.create({ workflowId, cron: "0 0 1 1 *" });
  for (const body of ["{", "{}"]) await fetch(url, { method: "POST", body });
  const lists = ["executions", "webhooks", "requests", "schedules"];
  const page = await room.dashboard.signIn(apiKey);
  await lookAround(page, Object.fromEntries(lists.map((list) => [list, `/dashboard/${list}`])));
});

test("the question before an execution is stopped reads well", async () => {
  await member.goto(`/dashboard/executions/${parameters.question}`);
  await member.getByRole("button", { name: "Stop execution…" }).click();
  await look(member, "execution-stopping");
});

test("a page that does not exist reads well", async () => {
  const answer = await member.goto(`/dashboard/executions/${crypto.randomUUID()}`);
  expect(answer?.status()).toBe(404);
  await look(member, "not-found");
});

describe("the pages of endpoints read well", () => {
  const at = (rest: string) => `/dashboard/webhooks/${rest}`;
  const press = (name: string) => member.getByRole("button", { name, exact: true }).click();

  test("once an endpoint was created", async () => {
    await member.goto(at("new/standard-webhooks"));
    await press("Create endpoint");
    await member.getByText("is ready.").waitFor();
    await look(member, "endpoint-created");
  });

  test("once a sample was tried", async () => {
    await member.goto(at(`${parameters.strict}/try`));
    await member.getByLabel("Body").fill('{"order": {"id": "x"}}');
    await member.getByLabel("Sign as the sender would").uncheck();
    await press("Try sample");
    await member.locator("#verdict").waitFor();
    await look(member, "endpoint-verdict");
  });

  test("once a draft of rules was tried", async () => {
    await member.goto(at(`${parameters.held}/rules`));
    await press("Add value");
    const value = member.getByRole("group", { name: "Value 1" });
    await value.getByLabel("Path or name").fill("page");
    await value.getByLabel("Input").fill("page");
    await member.getByLabel("Required paths").fill("order.total");
    await press("Try draft");
    await member.locator("#what-if").waitFor();
    await look(member, "endpoint-what-if");
  });

  test("where their rules were refused", async () => {
    await member.goto(at(`${parameters.strict}/rules`));
    await member.locator("form details").evaluateAll((all) => {
      for (const details of all) details.setAttribute("open", "");
    });
    for (const name of ["validation.required", "mapping.fields[0].from"]) {
      await member.locator(`[name="${name}"]`).fill("a..b");
    }
    await press("Save draft");
    await member.locator(".notice.bad").first().waitFor();
    await look(member, "endpoint-rules-refused");
  });
});
