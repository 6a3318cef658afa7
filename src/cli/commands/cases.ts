import type { CaseMoment, CaseRecord } from "../../contract/webhooks/case.ts";
import type { WaiterRecord } from "../../contract/webhooks/waiter.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { endpointIdOf } from "../lookup.ts";
import { type Output, printList } from "../terminal.ts";
import { ago, countOf, localTime, oneLine } from "../text.ts";

const CELL = 40;
const CONDITION = 120;
const NOTES = "Identify an endpoint by its id, name, path or URL.";
const WIDEST_STATUS = 10;

const list: Command = {
  name: "cases list",
  summary: "List the cases of an endpoint, the newest first",
  args: ["endpoint"],
  options: { limit: { value: "N", help: "maximum number of rows (default: 20)" } },
  notes: NOTES,
  async run({ client, output, values, args: [name = ""], signal }) {
    const limit = values.wholeNumber("limit", 1) ?? 20;
    const endpointId = await endpointIdOf(client, name, signal);
    const query = { limit: Math.min(limit, 100) };
    const found = client.webhooks.allCases(endpointId, query, { signal });
    const heading = ["KEY", "ROUTE", "LIVE EXECUTION", "WAITING", "UPDATED"];
    await printList(output, found, limit, heading, caseCells);
  },
};

function caseCells({ key, route, executionId, waiting, updatedAt }: CaseRecord): string[] {
  const updated = ago(updatedAt, Date.now());
  return [oneLine(key, CELL), oneLine(route, CELL), executionId ?? "none", `${waiting}`, updated];
}

const show: Command = {
  name: "cases show",
  summary: "Show the events and executions of a case",
  args: ["endpoint", "key"],
  options: { route: { value: "NAME", help: "only the case of this route" } },
  notes: NOTES,
  async run({ client, output, values, args: [name = "", key = ""], signal }) {
    const route = values.text("route");
    const endpointId = await endpointIdOf(client, name, signal);
    const query = { key, ...(route !== undefined && { route }) };
    const found = new Map<string, CaseRecord>();
    for await (const one of client.webhooks.allCases(endpointId, query, { signal })) {
      const later = found.get(one.route);
      const timeline = [...one.timeline, ...(later?.timeline ?? [])];
      found.set(one.route, { ...(later ?? one), timeline, truncated: one.truncated });
    }
    for (const one of found.values()) output.print(one, (shown) => caseText(shown, output));
    if (found.size === 0) {
      throw new UsageError(`No case matches "${key}". Run prompthook cases list.`);
    }
  },
};

function caseText(record: CaseRecord, output: Output): string {
  const { key, route, onEvent, executionId, waiting, timeline } = record;
  const live = executionId === null ? "no live execution" : `live: ${executionId}`;
  return [
    `${output.style("bold", oneLine(key, CONDITION))}  ${oneLine(route, CELL)} (${onEvent})`,
    `${live} · ${countOf(waiting, "event")} waiting`,
    ...timeline.map((moment) => momentText(moment, output)),
  ].join("\n");
}

function momentText(moment: CaseMoment, output: Output): string {
  const time = output.style("dim", localTime(moment.at));
  switch (moment.type) {
    case "event": {
      const { requestId, eventType, status, executionId } = moment;
      const type = eventType === null ? "" : `  ${oneLine(eventType, CELL)}`;
      const target = executionId === null ? "" : `  → ${executionId}`;
      return `${time}  event    ${status.padEnd(WIDEST_STATUS)}  ${requestId}${type}${target}`;
    }
    case "execution.started":
      return `${time}  started  ${"".padEnd(WIDEST_STATUS)}  ${moment.executionId}`;
    case "execution.ended":
      return `${time}  ended    ${moment.status.padEnd(WIDEST_STATUS)}  ${moment.executionId}`;
  }
}

/** Lists the executions that wait for an event of an endpoint. */
export const waiters: Command = {
  name: "waiters",
  summary: "List the executions that wait for an event of an endpoint",
  args: ["endpoint"],
  notes: NOTES,
  async run({ client, output, args: [name = ""], signal }) {
    const endpointId = await endpointIdOf(client, name, signal);
    const { waiters: found } = await client.webhooks.waiters(
      endpointId,
      { limit: 100 },
      { signal },
    );
    const heading = ["EXECUTION", "UNTIL", "WAKES", "CONDITION"];
    await printList(output, found, 100, heading, waiterCells);
  },
};

function waiterCells({ executionId, until, wake, when }: WaiterRecord): string[] {
  return [executionId, localTime(until), wake, oneLine(JSON.stringify(when), CONDITION)];
}

export const cases = [list, show];
