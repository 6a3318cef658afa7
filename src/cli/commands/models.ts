import { PROVIDER_KINDS } from "../../contract/models.ts";
import { type Command, calling, listing } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";

const list = listing({
  name: "models list",
  summary: "List the models that can be named, the default first",
  items: async (call) => (await call.client.models.list(call)).models,
  columns: {
    MODEL: (each) => `${each.model}${each.default ? " (default)" : ""}`,
    WINDOW: ({ contextWindow }) => String(contextWindow),
    "USD PER MILLION (IN/OUT)": ({ price }) => (price ? `${price.input}/${price.output}` : ""),
    SOURCE: ({ source }) => source,
  },
});

const setDefault = calling({
  name: "models default",
  summary: "Set the model of executions that name none",
  args: ["model?"],
  notes: "Without a model, the account returns to the default of the service.",
  async ask(call, model) {
    const { models } = await call.client.models.setDefault(model || null, call);
    return { model: models.find((each) => each.default)?.model ?? null };
  },
  text: ({ model }) => `The default is ${model}.`,
});

const add = calling({
  name: "models add",
  summary: "Add a model provider with a key of your own",
  args: ["name", "kind"],
  options: {
    "key-env": { value: "NAME", help: "the environment variable that has the key" },
    "base-url": { value: "URL", help: "the address of its API, up to /chat/completions" },
    model: { multiple: true, value: "A,B", help: "models of the provider to suggest" },
  },
  notes: `Kinds: ${PROVIDER_KINDS.join(", ")}. Its models are <name>/<model>.`,
  async ask(call, name, given) {
    const { client, output, values } = call;
    const variable = values.text("key-env");
    const apiKey = variable === undefined ? undefined : output.terminal.env[variable];
    if (!apiKey) throw new UsageError("Name the variable that has the key with --key-env.");
    const kind = PROVIDER_KINDS.find((one) => one === given);
    if (kind === undefined) throw new UsageError(`Choose a kind: ${PROVIDER_KINDS.join(", ")}.`);
    const baseUrl = values.text("base-url");
    const models = values.list("model")?.map((model) => ({ name: model }));
    return await client.modelProviders.create({ name, kind, apiKey, baseUrl, models }, call);
  },
  text: ({ providerId }) => providerId,
});

const test: Command = {
  name: "models test",
  summary: "Ask a model of a provider once, and say what came of it",
  args: ["provider", "model?"],
  notes: "Exits 1 if the model does not work.",
  async run(call) {
    const [providerId = "", model] = call.args;
    const trial = await call.client.modelProviders.test(providerId, model ? { model } : {}, call);
    call.output.print(trial, ({ message, durationMs }) => `${message} (${durationMs} ms)`);
    return trial.ok ? EXIT.done : EXIT.executionFailed;
  },
};

export const models = [list, setDefault, add, test];
