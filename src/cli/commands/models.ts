import { PROVIDER_KINDS } from "../../contract/model-providers.ts";
import type { Command } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { printList } from "../terminal.ts";
import { oneLine } from "../text.ts";

const URL_LENGTH = 60;
const LIMIT = { value: "N", help: "maximum number of rows (default: 100)" } as const;

const list: Command = {
  name: "models list",
  summary: "List the models that can be named, the default first",
  options: { limit: LIMIT },
  async run({ client, output, values, signal }) {
    const { models } = await client.models.list({ signal });
    const heading = ["MODEL", "WINDOW", "USD PER MILLION (IN/OUT)", "SOURCE"];
    await printList(output, models, values.wholeNumber("limit", 1) ?? 100, heading, (model) => [
      `${model.model}${model.default ? " (default)" : ""}`,
      String(model.contextWindow),
      model.price ? `${model.price.input}/${model.price.output}` : "",
      model.source,
    ]);
  },
};

const setDefault: Command = {
  name: "models default",
  summary: "Set the model of executions that name none",
  args: ["model?"],
  notes: "Without a model, the account returns to the default of the service.",
  async run({ client, output, args: [model], signal }) {
    const { models } = await client.models.setDefault(model || null, { signal });
    const chosen = models.find((each) => each.default);
    output.print({ model: chosen?.model ?? null }, () => `The default is ${chosen?.model}.`);
  },
};

const providers: Command = {
  name: "models providers",
  summary: "List the account's own model providers, newest first",
  options: { limit: LIMIT },
  async run({ client, output, values, signal }) {
    const all = client.modelProviders.all({ signal });
    const heading = ["PROVIDER", "NAME", "KIND", "KEY", "ADDRESS"];
    await printList(output, all, values.wholeNumber("limit", 1) ?? 100, heading, (each) => [
      each.providerId,
      each.name,
      each.kind,
      each.apiKey.last4 === "" ? "set" : `…${each.apiKey.last4}`,
      oneLine(each.baseUrl, URL_LENGTH),
    ]);
  },
};

const add: Command = {
  name: "models add",
  summary: "Add a model provider with a key of your own",
  args: ["name", "kind"],
  options: {
    "key-env": { value: "NAME", help: "the environment variable that has the key" },
    "base-url": { value: "URL", help: "the address of its API, up to /chat/completions" },
    model: { multiple: true, value: "A,B", help: "models of the provider to suggest" },
  },
  notes: `Kinds: ${PROVIDER_KINDS.join(", ")}. Its models are <name>/<model>.`,
  async run({ client, output, values, args: [name = "", kind], signal }) {
    const variable = values.text("key-env");
    const apiKey = variable === undefined ? undefined : output.terminal.env[variable];
    if (!apiKey) throw new UsageError("Name the variable that has the key with --key-env.");
    const found = PROVIDER_KINDS.find((one) => one === kind);
    if (found === undefined) throw new UsageError(`Choose a kind: ${PROVIDER_KINDS.join(", ")}.`);
    const baseUrl = values.text("base-url");
    const models = values.list("model")?.map((model) => ({ name: model }));
    const body = { name, kind: found, apiKey, baseUrl, models };
    const added = await client.modelProviders.create(body, { signal });
    output.print(added, ({ providerId }) => providerId);
  },
};

const test: Command = {
  name: "models test",
  summary: "Ask a model of a provider once, and say what came of it",
  args: ["provider", "model?"],
  notes: "Exits 1 if the model does not work.",
  async run({ client, output, args: [providerId = "", model], signal }) {
    const body = model ? { model } : {};
    const trial = await client.modelProviders.test(providerId, body, { signal });
    output.print(trial, ({ message, durationMs }) => `${message} (${durationMs} ms)`);
    return trial.ok ? EXIT.done : EXIT.executionFailed;
  },
};

const remove: Command = {
  name: "models remove",
  summary: "Delete a model provider and its key",
  args: ["provider"],
  async run({ client, output, args: [providerId = ""], signal }) {
    await client.modelProviders.delete(providerId, { signal });
    output.print({ providerId, removed: true }, () => "Removed.");
  },
};

export const models = [list, setDefault, providers, add, test, remove];
