import { RUNTIME } from "../../client/transport.ts";
import type { Call, Command } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { readInput } from "../files.ts";
import { endpointIdOf } from "../lookup.ts";
import { tail as follow } from "../tail.ts";
import { watch } from "../watch/watch.ts";
import { AGAIN, replayMany } from "./again.ts";
import { NAMED } from "./endpoints.ts";

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
