import type { Prompthook } from "../../src/client/prompthook.ts";
import type { Outside } from "./models.ts";

/** The names of the provider's models; none of `unpriced`, which comes from the service's own provider, is known to have a price. */
export const priced = (model: string): string => `acme/${model}`;
export const UNPRICED = "openai/unpriced";

/** Secrets of the endpoints, with which the seed signs. */
export const SECRETS = { github: "github-secret-0123456789", stripe: "whsec_stripe0123456789" };

export type Workflows = Awaited<ReturnType<typeof seedWorkflows>>;
export type Endpoints = Awaited<ReturnType<typeof seedEndpoints>>;

/** Creates the members, keys, destinations and other settings of an account. */
export async function seedSettings(api: Prompthook, { models, site }: Outside): Promise<void> {
  await api.modelProviders.create({
    name: "acme",
    kind: "openai-compatible",
    baseUrl: models.baseUrl,
    apiKey: "sk-acme-0123456789",
    models: [
      {
        name: "large",
        contextWindow: 128_000,
        inputPrice: 3,
        outputPrice: 15,
        cachedInputPrice: 0.3,
      },
      { name: "quick", contextWindow: 32_000, inputPrice: 0.15, outputPrice: 0.6 },
    ],
  });
  await api.connections.create({
    name: "shopify-admin",
    hosts: ["acme.myshopify.com"],
    pathPrefix: "/admin/api",
    header: "X-Shopify-Access-Token",
    value: "shpat_0123456789abcdef",
  });
  await api.connections.create({
    name: "github",
    hosts: ["api.github.com", "*.githubusercontent.com"],
    header: "Authorization",
    value: "Bearer ghp_0123456789abcdef",
  });
  await api.mcpServers.create({ name: "linear", url: "https://mcp.linear.app/mcp" });
  await api.keys.create({
    name: "GitHub Actions",
    scopes: ["executions:write"],
    expiresAt: "2099-03-01T00:00:00Z",
  });
  await api.keys.create({ name: "checkout service" });
  const { keyId } = await api.keys.create({ name: "old laptop" });
  await api.keys.revoke(keyId);
  await api.members.create({ email: MEMBER, role: "admin", name: "Ada Lovelace" });
  await api.members.create({ email: OTHER_MEMBER, role: "operator", name: "Grace Hopper" });
  await api.members.create({ email: "linus@example.com", role: "viewer" });
  await api.destinations.create({
    name: "Ops channel",
    format: "slack",
    url: `${site.origin}/refuses/slack`,
    events: ["execution.failed", "decision.requested", "endpoint.failing"],
  });
  await api.destinations.create({
    name: "Data warehouse",
    format: "standard",
    url: `${site.origin}/accepts`,
    events: ["execution.completed", "execution.failed"],
    payload: "full",
  });
  await api.destinations.create({
    name: "On call",
    format: "email",
    email: "oncall@example.com",
    events: ["credits.low", "endpoint.failing"],
  });
}

/** The member who signs in by a link, and who decides by one. */
export const MEMBER = "ada@example.com";
/** The member whose link to sign in is only looked at. */
export const OTHER_MEMBER = "grace@example.com";

/** Creates the workflows, one with revisions, and their schedules; returns the ids. */
export async function seedWorkflows(api: Prompthook, { site }: Outside) {
  const create = async (body: Parameters<typeof api.workflows.create>[0]) =>
    (await api.workflows.create(body)).workflowId;
  const triagePrompt =
    "Read the issue {{title}} of {{repository}} and label it.\n\nBody: {{body}}\n\nAnswer with a label and a priority.";
  const triage = await create({
    name: "Triage GitHub issues",
    prompt: triagePrompt,
    inputs: [
      { name: "title", required: true },
      { name: "repository" },
      { name: "body" },
      { name: "number", type: "integer" },
    ],
    model: priced("quick"),
  });
  const refunds = await create({
    name: "Check refunds against the policy",
    prompt: "Check whether charge {{charge}} over {{amount}} {{currency}} may be refunded.",
    inputs: [
      { name: "charge", required: true },
      { name: "amount", type: "number" },
      { name: "currency" },
    ],
    model: priced("quick"),
    outputSchema: { type: "object", properties: { label: { type: "string" } } },
  });
  const orders = await create({
    name: "Order what is missing",
    prompt: "Order {{quantity}} of {{sku}}.",
    inputs: [
      { name: "sku", required: true, description: "The article" },
      { name: "quantity", type: "integer", default: 10 },
    ],
    model: priced("large"),
    callbackUrl: `${site.origin}/accepts`,
  });
  const weekly = await create({
    name: "Weekly report of sales",
    prompt: "Summarise the sales of the week before {{scheduledAt}}.",
    inputs: [{ name: "scheduledAt", type: "timestamp" }],
    model: priced("quick"),
  });
  const invoices = await create({
    name: "Read invoices into the ledger, with a name that is rather long for a narrow column",
    prompt: "Read {{invoice}}.",
    inputs: [{ name: "invoice" }],
    model: "openai/failing",
  });
  const pulls = await create({
    name: "Look after pull requests",
    prompt: "Look after {{title}}.",
    inputs: [{ name: "title" }],
    model: priced("quick"),
  });
  const line = "\n\nNever close an issue.";
  for (const prompt of [triagePrompt + line, `Be brief. ${triagePrompt}${line}`])
    await api.workflows.update(triage, { prompt });
  await seedSchedules(api, { weekly, orders });
  return { triage, refunds, orders, weekly, invoices, pulls };
}

async function seedSchedules(
  { schedules }: Prompthook,
  { weekly, orders }: { weekly: string; orders: string },
): Promise<void> {
  const berlin = { cron: "0 8 * * 1", timeZone: "Europe/Berlin" };
  await schedules.create({ name: "Weekly report", workflowId: weekly, ...berlin });
  const newYork = { cron: "30 6 * * 1-5", timeZone: "America/New_York", enabled: false };
  await schedules.create({ workflowId: weekly, ...newYork });
  await schedules.create({ name: "Year’s end", workflowId: weekly, at: "2098-12-31T22:00:00Z" });
  const stock = { name: "Stock check", workflowId: orders, inputs: { sku: "TEA-14" } };
  const { scheduleId } = await schedules.create({ ...stock, everySeconds: 86_400 });
  for (const _ of [1, 2, 3]) await schedules.run(scheduleId);
}

/** Creates endpoints of several senders, with routes, without a workflow, and disabled. */
export async function seedEndpoints({ webhooks }: Prompthook, workflows: Workflows) {
  const { triage, refunds, orders, invoices, pulls } = workflows;
  const create = (body: Omit<Parameters<typeof webhooks.create>[0], "requestsPerMinute">) =>
    webhooks.create({ ...body, requestsPerMinute: 60_000 });
  const event = (name: string) => ({ in: "header" as const, path: "X-GitHub-Event", equals: name });
  const github = await create({
    name: "GitHub",
    auth: { hmac: { preset: "github", secret: SECRETS.github } },
    routing: {
      routes: [
        {
          name: "new issues",
          workflowId: triage,
          when: { all: [event("issues"), { path: "action", equals: "opened" }] },
          mapping: {
            fields: [
              { to: "title", from: "issue.title" },
              { to: "repository", from: "repository.full_name" },
            ],
          },
        },
        {
          name: "pull requests",
          workflowId: pulls,
          when: event("pull_request"),
          key: { template: "{{body.repository.full_name}}#{{body.number}}" },
          onEvent: "message",
          mapping: { fields: [{ to: "title", from: "pull_request.title" }] },
        },
      ],
    },
  });
  const stripe = await create({
    name: "Stripe",
    workflowId: refunds,
    auth: { hmac: { preset: "stripe", secret: SECRETS.stripe } },
    mapping: {
      fields: [
        { to: "charge", from: "data.object.id" },
        {
          to: "amount",
          from: "data.object.amount",
          transforms: [{ type: "unit", from: "minor", to: "major", currency: "USD" }],
        },
        { to: "currency", from: "data.object.currency" },
      ],
    },
    validation: { required: ["data.object.id"] },
  });
  const shop = await create({
    name: "Shop orders (own sender)",
    workflowId: orders,
    path: "shop/orders",
    auth: { token: {} },
    mapping: {
      fields: [
        { to: "sku", from: "line.sku" },
        { to: "quantity", from: "line.quantity" },
      ],
    },
  });
  const scanner = await create({
    name: "Invoices from the scanner",
    workflowId: invoices,
    mapping: { fields: [{ to: "invoice", from: "file" }] },
  });
  const crm = await create({ name: "CRM contacts" });
  const telemetry = await create({
    name: "Telemetry",
    withoutWorkflow: "log",
    split: { path: "events" },
  });
  await create({ name: "Old shop", enabled: false, workflowId: orders });
  return { github, stripe, shop, scanner, crm, telemetry };
}
