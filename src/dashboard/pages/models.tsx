import type { Child } from "hono/jsx";
import type { Prompthook } from "../../client/prompthook.ts";
import {
  createModelProviderBody,
  type ModelProviderRecord,
  PROVIDER_KINDS,
  type UsableModel,
} from "../../contract/models.ts";
import { Badge, Notice, NoValue } from "../components/elements.tsx";
import { Action, IfMay, Layout, PostButton, show } from "../components/layout.tsx";
import { type Column, costColumn, TablePart } from "../components/table.tsx";
import type { Dashboard, Page } from "../context.ts";
import { formatNumber, formatUsd } from "../format.ts";
import { type Form, field, optionsOf } from "../forms/form.ts";
import { serveCreation } from "../forms/form-page.tsx";
import { postedForm } from "../forms/posted.ts";
import { findIn, ifAllowed, newest } from "../lookups.ts";
import { MODELS } from "../paths.ts";
import { DeleteLink, serveDeletion } from "./resource.tsx";

const FORM: Form<typeof createModelProviderBody> = {
  schema: createModelProviderBody,
  fields: {
    name: field.line("Name", { hint: "Its models are named <name>/<model>.", required: true }),
    kind: field.select("API", optionsOf(PROVIDER_KINDS)),
    baseUrl: field.line("Base URL", {
      hint: "Up to where /chat/completions begins, such as https://openrouter.ai/api/v1. Leave empty for the provider's own.",
      more: { type: "url" },
    }),
    apiKey: field.secret("API key", {
      hint: "It is stored encrypted, never shown again, and sent to this provider only.",
      required: true,
    }),
    models: field.lines("Models", {
      hint: "Models to suggest, by their names at the provider, one per line. Others can be named as well.",
      more: { rows: 3 },
    }),
  },
  assemble: ({ models, ...fields }) => ({
    ...fields,
    models: [models ?? []].flat().map((name) => ({ name })),
  }),
};

/** A model, and what it cost since the month began. */
type Model = UsableModel & { costUsd: number };

const MODEL_COLUMNS: Column<Model>[] = [
  { name: "Model", is: "wrap", cell: ({ model }) => <strong>{model}</strong> },
  { name: "Source", cell: ({ source }) => source },
  {
    name: "Window",
    is: "num",
    cell: ({ contextWindow }) => `${formatNumber(contextWindow)} tokens`,
  },
  {
    name: "Price",
    cell: ({ price }) =>
      price ? (
        `${formatUsd(price.input)} in, ${formatUsd(price.output)} out per million`
      ) : (
        <NoValue />
      ),
  },
  costColumn("This month", ({ price }) => price !== undefined),
  {
    name: "Default",
    cell: ({ model, default: isDefault }) =>
      isDefault ? (
        <Badge state="completed" label="Default" />
      ) : (
        <PostButton
          scope="models:write"
          action={`${MODELS}/default`}
          name="model"
          value={model}
          aria-label={`Set as default: ${model}`}
        >
          Set as default
        </PostButton>
      ),
  },
];

const PROVIDER_COLUMNS: Column<ModelProviderRecord>[] = [
  { name: "Name", is: "keep", cell: ({ name }) => <strong>{name}</strong> },
  { name: "Server", is: "wrap", cell: ({ kind, baseUrl }) => <code title={kind}>{baseUrl}</code> },
  { name: "Key", cell: ({ apiKey: { last4 } }) => (last4 === "" ? "set" : `…${last4}`) },
  {
    name: "Actions",
    cell: ({ providerId, name }) => (
      <IfMay scope="models:write">
        <form method="post" action={`${MODELS}/${providerId}/test`} class="actions">
          <input name="model" placeholder="first model" aria-label={`Model of ${name}`} />
          <button type="submit">Test</button>
          <DeleteLink href={`${MODELS}/${providerId}/delete`} name={name} verb="Delete" />
        </form>
      </IfMay>
    ),
  },
];

/** The page of models, below what came of the reader's last action. */
async function modelsPage(http: Page, providers: ModelProviderRecord[], notice: Child) {
  const api = http.get("api");
  const from = `${new Date().toISOString().slice(0, "2026-11".length)}-01T00:00:00.000Z`;
  const [{ models }, usage] = await Promise.all([
    api.models.list(),
    ifAllowed(api.usageBreakdown({ by: "model", from, bucket: "day" })),
  ]);
  const costs = new Map(usage?.items.map(({ id, costUsd }) => [id, costUsd]));
  const priced = models.map((each) => ({ ...each, costUsd: costs.get(each.model) ?? 0 }));
  return show(
    http,
    <Layout
      title="Models"
      section="models"
      actions={
        <Action scope="models:write" href={`${MODELS}/new`}>
          Add provider
        </Action>
      }
    >
      {notice}
      <TablePart title="Models" rows={priced} nothing="" columns={MODEL_COLUMNS} />
      <TablePart
        title="Your providers"
        rows={providers}
        nothing="Models of providers that you add are asked with your own key."
        columns={PROVIDER_COLUMNS}
      />
    </Layout>,
  );
}

const providersOf = ({ modelProviders }: Prompthook) => newest(modelProviders.all());

const DONE: Readonly<Record<string, string>> = {
  added: "Provider added. Test it: that is one real call.",
  default: "Default set. Executions that name no model ask this one.",
};

/** Serves the models that can be asked, and the account's own providers: list, add, test, default, delete. */
export function serveModels(app: Dashboard): void {
  app.get("/models", async (http) => {
    const text = DONE[http.req.query("done") ?? ""];
    const notice = text !== undefined && <Notice tone="good">{text}</Notice>;
    return modelsPage(http, await providersOf(http.get("api")), notice);
  });

  app.post("/models/default", async (http) => {
    await http.get("api").models.setDefault((await postedForm(http)).line("model"));
    return http.redirect(`${MODELS}?done=default`, 303);
  });

  app.post("/models/:id/test", async (http) => {
    const api = http.get("api");
    const id = http.req.param("id");
    const model = (await postedForm(http)).line("model");
    const trial = await api.modelProviders.test(id, model === "" ? {} : { model });
    const { ok, message, durationMs } = trial;
    const providers = await providersOf(api);
    const name = providers.find(({ providerId }) => providerId === id)?.name;
    const asked = model === "" ? name : `${name}/${model}`;
    const text = `${asked}: ${message} (${formatNumber(durationMs)} ms)`;
    return modelsPage(http, providers, <Notice tone={ok ? "good" : "bad"}>{text}</Notice>);
  });

  serveCreation(app, {
    section: "models",
    title: "Add model provider",
    submit: "Add provider",
    form: FORM,
    initial: { kind: "openai" },
    create: (api, body) => api.modelProviders.create(body),
    done: (http) => http.redirect(`${MODELS}?done=added`, 303),
  });

  serveDeletion(app, {
    section: "models",
    act: "delete",
    find: (http, id) =>
      findIn(http.get("api").modelProviders.all(), ({ providerId }) => providerId === id),
    nameOf: ({ name }) => name,
    about: ({ name }) => (
      <p>
        Running executions can no longer ask the models of <code>{name}</code>. If the default model
        is one of them, that of the service takes its place.
      </p>
    ),
    remove: (api, id) => api.modelProviders.delete(id),
  });
}
