import { RUNTIME } from "../../client/transport.ts";
import { presetName } from "../../contract/webhooks/signature.ts";
import { type Call, type Command, calling, listing } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { readInput } from "../files.ts";
import { endpointIdOf, workflowOf } from "../lookup.ts";
import { tail as follow } from "../tail.ts";
import { oneLine } from "../text.ts";
import { watch } from "../watch/watch.ts";
import { AGAIN, replayMany } from "./again.ts";

const NAME = 40;
const NAMED = "Identify an endpoint by its id, name, path or URL.";

export const endpoints = listing({
  name: "endpoints",
  summary: "List webhook endpoints",
  items: (call) => call.client.webhooks.all(call),
  columns: {
    ENDPOINT: ({ endpointId }) => endpointId,
    NAME: ({ name }) => oneLine(name, NAME),
    STATE: ({ enabled, workflowId }) => {
      if (!enabled) return "disabled";
      return workflowId === null ? "holding" : "active";
    },
    URL: ({ url }) => url,
  },
});

export const tail: Command = {
  name: "tail",
  summary: "Show an endpoint's requests as they arrive",
  args: ["endpoint"],
  options: {
    lines: { short: "n", value: "N", help: "recent requests to show first (default: 10)" },
    "no-follow": { help: "exit after the recent requests" },
  },
  notes: NAMED,
  async run({ client, output, values, args: [name = ""], signal }) {
    const endpointId = await endpointIdOf(client, name, signal);
    const lines = values.wholeNumber("lines") ?? 10;
    const options = { endpointId, lines, follow: !values.flag("no-follow") };
    return follow({ output, signal }, client.webhooks, options, RUNTIME.sleep);
  },
};

export const createEndpoint = calling({
  name: "endpoints create",
  summary: "Create a webhook endpoint",
  args: ["name"],
  options: {
    workflow: { value: "W", help: "the workflow that it starts, by id or name" },
    preset: { value: "NAME", help: "the sender whose signatures it checks" },
    secret: { value: "TEXT", help: "the secret that the sender signs with" },
    path: { value: "PATH", help: "a path of your own after /hooks/" },
  },
  notes: "Without --secret, the secret is generated and printed once.",
  async ask(call, name) {
    const { client, values, signal } = call;
    const secret = values.text("secret");
    const preset = values.oneOf("preset", presetName.options);
    if (secret !== undefined && preset === undefined) {
      throw new UsageError("--secret needs --preset.");
    }
    const path = values.text("path");
    const workflow = values.text("workflow");
    const body = {
      name,
      ...(path !== undefined && { path }),
      ...(preset !== undefined && { auth: { hmac: { preset, ...(secret && { secret }) } } }),
      ...(workflow !== undefined && {
        workflowId: (await workflowOf(client, workflow, signal)).workflowId,
      }),
    };
    return await client.webhooks.create(body, call);
  },
  // The service shows a secret that it generated only once.
  text: ({ endpointId, url, secrets = {} }) =>
    [
      `endpoint  ${endpointId}`,
      `url  ${url}`,
      ...Object.entries(secrets).map(([what, secret]) => `${what} secret  ${secret}`),
    ].join("\n"),
});

export const replay: Command = {
  name: "replay",
  summary: "Replay a logged request, or all that failed or were rejected",
  args: ["endpoint?", "request?"],
  options: {
    ...AGAIN,
    rejected: { help: "those that were rejected" },
    payload: { value: "FILE", help: "JSON payload to send instead; - reads standard input" },
    "accept-unverified": { help: "replay it even if it did not pass authentication" },
    watch: { short: "w", help: "follow the execution that it starts" },
  },
  notes: NAMED,
  async run(call) {
    const { output, values, args } = call;
    if (args[1] === "") return replayMany(call);
    const replayed = await replayOf(call);
    const { requestId, executionId } = replayed;
    output.print(replayed, () =>
      executionId === null
        ? `${requestId}  held: the endpoint has no workflow`
        : `${requestId}  → ${executionId}`,
    );
    return values.flag("watch") && executionId !== null ? watch(call, executionId) : EXIT.done;
  },
};

async function replayOf({ client, output, values, args, signal }: Call) {
  const [name = "", requestId = ""] = args;
  const file = values.text("payload");
  const payload = file === undefined ? undefined : await readInput(file, output.terminal);
  if (payload !== undefined) checkJson(payload, file ?? "");
  const endpointId = await endpointIdOf(client, name, signal);
  const acceptUnverified = values.flag("accept-unverified");
  // Sent as text, so that large integers keep their digits.
  return payload === undefined
    ? client.webhooks.replay(endpointId, requestId, { acceptUnverified }, { signal })
    : client.webhooks.replayJson(endpointId, requestId, payload, { acceptUnverified, signal });
}

function checkJson(text: string, name: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${name === "-" ? "Standard input" : name} is not JSON: ${reason}.`);
  }
}
