import { EVENT_TYPES, FORMATS } from "../../contract/destinations.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { printList } from "../terminal.ts";
import { ago, localTime, oneLine } from "../text.ts";

const TEXT = 60;
const LIMIT = { value: "N", help: "maximum number of rows (default: 100)" } as const;

const list: Command = {
  name: "destinations list",
  summary: "List where the account's events go, newest first",
  options: { limit: LIMIT },
  async run({ client, output, values, signal }) {
    const all = client.destinations.all({ signal });
    const heading = ["DESTINATION", "FORMAT", "STATUS", "NAME", "TO"];
    await printList(output, all, values.wholeNumber("limit", 1) ?? 100, heading, (each) => {
      const { destinationId, format, status, name, url, email } = each;
      return [
        destinationId,
        format,
        status,
        oneLine(name, TEXT),
        oneLine(url ?? email ?? "", TEXT),
      ];
    });
  },
};

const add: Command = {
  name: "destinations add",
  summary: "Create a destination: an address, or an e-mail address for the format email",
  args: ["format", "target"],
  options: {
    name: { value: "NAME", help: "name of the destination (default: the target)" },
    events: { multiple: true, value: "TYPE", help: "types of events to send" },
    full: { help: "send whole records instead of ids" },
    secret: { value: "TEXT", help: "signs the requests" },
    header: { multiple: true, value: "NAME=VALUE", help: "a header of every request" },
    content: { help: "include arguments and results of tools in traces" },
  },
  notes: `Formats: ${FORMATS.join(", ")}.\nEvents: ${EVENT_TYPES.join(", ")}.`,
  async run({ client, output, values, args: [given, target = ""], signal }) {
    const format = FORMATS.find((one) => one === given);
    if (format === undefined) throw new UsageError(`Choose a format: ${FORMATS.join(", ")}.`);
    const body = {
      format,
      name: values.text("name") ?? target.slice(0, 100),
      ...(format === "email" ? { email: target } : { url: target }),
      events: values.listOf("events", EVENT_TYPES),
      payload: values.flag("full") ? ("full" as const) : undefined,
      secret: values.text("secret"),
      headers: values.pairs("header"),
      content: values.flag("content") || undefined,
    };
    output.print(
      await client.destinations.create(body, { signal }),
      ({ destinationId }) => destinationId,
    );
  },
};

const ping: Command = {
  name: "destinations ping",
  summary: "Send a test message",
  args: ["destination"],
  async run({ client, output, args: [id = ""], signal }) {
    output.print(await client.destinations.ping(id, { signal }), ({ deliveryId }) => deliveryId);
  },
};

const status = (act: "enable" | "disable"): Command => ({
  name: `destinations ${act}`,
  summary: act === "enable" ? "Send events again" : "Send nothing, and drop what waits",
  args: ["destination"],
  async run({ client, output, args: [id = ""], signal }) {
    const changed = await client.destinations[act](id, { signal });
    output.print(changed, (each) => `${each.name} is ${each.status}.`);
  },
});

const remove: Command = {
  name: "destinations delete",
  summary: "Delete a destination with its deliveries",
  args: ["destination"],
  async run({ client, output, args: [destinationId = ""], signal }) {
    await client.destinations.delete(destinationId, { signal });
    output.print({ destinationId, deleted: true }, () => "Deleted.");
  },
};

const deliveries: Command = {
  name: "destinations deliveries",
  summary: "Show what was sent and what the receiver answered, newest first",
  args: ["destination"],
  options: { limit: LIMIT },
  async run({ client, output, values, args: [id = ""], signal }) {
    const limit = Math.min(values.wholeNumber("limit", 1) ?? 100, 100);
    const page = await client.destinations.deliveries(id, { limit }, { signal });
    const heading = ["DELIVERY", "TYPE", "STATE", "ATTEMPTS", "LAST ANSWER"];
    const rows = (async function* () {
      yield* page.deliveries;
    })();
    await printList(output, rows, limit, heading, ({ deliveryId, type, state, attempts }) => {
      const last = attempts.at(-1);
      const answer = last?.error ?? last?.status ?? "";
      return [deliveryId, type, state, String(attempts.length), oneLine(String(answer), TEXT)];
    });
  },
};

const redeliver: Command = {
  name: "destinations redeliver",
  summary: "Deliver a message once more",
  args: ["destination", "delivery"],
  async run({ client, output, args: [id = "", deliveryId = ""], signal }) {
    const delivery = await client.destinations.redeliver(id, deliveryId, { signal });
    output.print(delivery, ({ state }) => state);
  },
};

export const destinations = [
  list,
  add,
  ping,
  status("enable"),
  status("disable"),
  remove,
  deliveries,
  redeliver,
];

export const alerts: Command = {
  name: "alerts",
  summary: "Show what is failing now, and since when",
  options: { limit: LIMIT },
  async run({ client, output, values, signal }) {
    const all = client.alerts.all({ signal });
    const heading = ["TYPE", "SINCE", "COUNT", "LAST", "RESOURCE", "NAME"];
    await printList(output, all, values.wholeNumber("limit", 1) ?? 100, heading, (alert) => {
      const { type, since, count, lastAt, resource } = alert;
      const last = ago(lastAt, Date.now());
      return [
        type,
        localTime(since),
        String(count),
        last,
        resource.id,
        oneLine(resource.name, TEXT),
      ];
    });
  },
};
