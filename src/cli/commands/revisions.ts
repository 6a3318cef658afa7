import type { Prompthook } from "../../client/prompthook.ts";
import { jsonObject } from "../../contract/json.ts";
import { KEPT_REVISIONS } from "../../contract/revision.ts";
import type { EndpointSaved } from "../../contract/webhooks/endpoint.ts";
import { changedMembers } from "../../lib/differences.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { endpointIdOf, workflowOf } from "../lookup.ts";
import { printList } from "../terminal.ts";
import { localTime } from "../text.ts";
import { secretLines } from "./webhooks.ts";

interface Revision {
  revision: number;
  createdAt: string;
  by: { name: string } | null;
  content: object;
}

/** What has revisions, and how the API is asked for them. */
interface Kind {
  /** The first word of the commands. */
  group: string;
  arg: string;
  /** What restoring does not change. */
  secrets: string;
  idOf(client: Prompthook, name: string, signal: AbortSignal): Promise<string>;
  of(client: Prompthook): {
    revisions(
      id: string,
      query: { limit: number },
      options: { signal: AbortSignal },
    ): Promise<{ revisions: Revision[] }>;
    restore(
      id: string,
      revision: number,
      options: { signal: AbortSignal },
    ): Promise<{ revision: number; secrets?: EndpointSaved["secrets"] }>;
  };
}

/** Commands that list and restore the revisions of a workflow. */
export const workflowRevisions = commandsOf({
  group: "workflows",
  arg: "workflow",
  secrets: "The callback secret stays the current one.",
  idOf: async (client, name, signal) => (await workflowOf(client, name, signal)).workflowId,
  of: (client) => client.workflows,
});

/** Commands that list and restore the revisions of an endpoint. */
export const endpointRevisions = commandsOf({
  group: "endpoints",
  arg: "endpoint",
  secrets: "Secrets stay the current ones; one that is missing is generated and printed once.",
  idOf: endpointIdOf,
  of: (client) => client.webhooks,
});

function commandsOf(kind: Kind): Command[] {
  return [listOf(kind), restoreOf(kind)];
}

function listOf({ group, arg, idOf, of }: Kind): Command {
  return {
    name: `${group} revisions`,
    summary: "List its revisions and what each changed",
    args: [arg],
    notes: `The current revision and the ${KEPT_REVISIONS} before it are kept. With --json, prints their settings.`,
    async run({ client, output, args: [name = ""], signal }) {
      const id = await idOf(client, name, signal);
      const limit = KEPT_REVISIONS + 1;
      const { revisions } = await of(client).revisions(id, { limit }, { signal });
      const heading = ["REVISION", "SAVED", "BY", "CHANGED"];
      await printList(output, revisions, limit, heading, (one) => cellsOf(one, revisions));
    },
  };
}

function cellsOf({ revision, createdAt, by, content }: Revision, all: Revision[]): string[] {
  const before = all.find((other) => other.revision === revision - 1);
  const changed =
    before && changedMembers(jsonObject.parse(before.content), jsonObject.parse(content));
  return [`${revision}`, localTime(createdAt), by?.name ?? "", changed?.join(" ") ?? ""];
}

function restoreOf({ group, arg, secrets, idOf, of }: Kind): Command {
  return {
    name: `${group} restore`,
    summary: "Make a new revision with the settings of an earlier one",
    args: [arg, "revision"],
    notes: secrets,
    async run({ client, output, args: [name = "", wanted = ""], signal }) {
      if (!/^[1-9]\d{0,8}$/.test(wanted)) {
        throw new UsageError(`The revision must be a number, not "${wanted}".`);
      }
      const id = await idOf(client, name, signal);
      const restored = await of(client).restore(id, Number(wanted), { signal });
      output.print(restored, ({ revision, secrets: generated }) =>
        [`Restored as revision ${revision}.`, ...secretLines(generated)].join("\n"),
      );
    },
  };
}
