import { RUNTIME } from "../../client/transport.ts";
import type { EndpointRecord } from "../../contract/inbound/endpoint.ts";
import { requestStatus } from "../../contract/inbound/log.ts";
import type { Call, Command } from "../command.ts";
import { EXIT, UsageError } from "../errors.ts";
import { readInput } from "../files.ts";
import { endpointIdOf } from "../lookup.ts";
import { LiveLog } from "../tail/live-log.ts";
import { tail as follow } from "../tail/tail.ts";
import { listSome } from "../terminal.ts";
import { oneLine } from "../text.ts";
import { watch } from "../watch/watch.ts";

const NAME = 40;
const NAMED = "An endpoint is named by its id, its name, its path or its URL.";

export const endpoints: Command = {
  name: "endpoints",
  summary: "Lists the endpoints that webhooks come in by",
  args: [],
  options: { limit: { type: "string", value: "N", help: "how many; 100, if left out" } },
  async run({ client, output, given, signal }) {
    const all = client.webhooks.all({ signal });
    const heading = ["ENDPOINT", "NAME", "STATE", "URL"];
    await listSome(output, all, given.wholeNumber("limit", 1) ?? 100, heading, endpointCells);
    return EXIT.done;
  },
};

function endpointCells(endpoint: EndpointRecord): string[] {
  const { endpointId, name, enabled, workflowId, url } = endpoint;
  const state = !enabled ? "off" : workflowId === null ? "holds" : "starts runs";
  return [endpointId, oneLine(name, NAME), state, url];
}

const STATUSES = requestStatus.options;

export const tail: Command = {
  name: "tail",
  summary: "Shows the requests of an endpoint as they come",
  args: ["endpoint"],
  options: {
    lines: {
      type: "string",
      short: "n",
      value: "N",
      help: "how many of the last ones first; 10, if left out",
    },
    status: {
      type: "string",
      multiple: true,
      value: "A,B",
      help: `only these: ${STATUSES.join(", ")}`,
    },
    "no-follow": { type: "boolean", help: "ends after the last ones" },
  },
  notes: `Each request is told when it came, and once more when its run has ended.
${NAMED}`,
  async run({ client, output, given, args: [meant = ""], signal }) {
    const lines = given.wholeNumber("lines") ?? 10;
    const statuses = given.listOf("status", STATUSES) ?? [];
    const log = new LiveLog(client.webhooks, await endpointIdOf(client, meant, signal));
    const options = { lines, statuses, follow: !given.flag("no-follow") };
    return follow({ output, signal }, log, options, RUNTIME.sleep);
  },
};

export const replay: Command = {
  name: "replay",
  summary: "Lets a logged request come again, also with another payload",
  args: ["endpoint", "request"],
  options: {
    payload: {
      type: "string",
      value: "FILE",
      help: "JSON in place of its own payload; - for the standard input",
    },
    watch: { type: "boolean", short: "w", help: "follows the run that it starts" },
  },
  notes: NAMED,
  async run(call) {
    const { output, given } = call;
    const replayed = await replayOf(call);
    const { requestId, executionId } = replayed;
    output.say(replayed, () =>
      executionId === null
        ? `${requestId}  held: no workflow is attached`
        : `${requestId}  → ${executionId}`,
    );
    return given.flag("watch") && executionId !== null ? watch(call, executionId) : EXIT.done;
  },
};

async function replayOf({ client, output, given, args, signal }: Call) {
  const [meant = "", requestId = ""] = args;
  const file = given.text("payload");
  const payload = file === undefined ? undefined : await readInput(file, output.terminal);
  if (payload !== undefined) checkJson(payload, file ?? "");
  const endpointId = await endpointIdOf(client, meant, signal);
  // As text, so that long whole numbers stay what they are.
  return payload === undefined
    ? client.webhooks.replay(endpointId, requestId, {}, { signal })
    : client.webhooks.replayJson(endpointId, requestId, payload, { signal });
}

function checkJson(text: string, name: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${name === "-" ? "The standard input" : name} is not JSON: ${reason}.`);
  }
}
