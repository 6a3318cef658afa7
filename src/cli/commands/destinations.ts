import { EVENT_TYPES, FORMATS } from "../../contract/destinations.ts";
import { calling, listing } from "../command.ts";
import { UsageError } from "../errors.ts";
import { oneLine } from "../terminal.ts";

const TEXT = 60;

const list = listing({
  name: "destinations list",
  summary: "List where the account's events go, newest first",
  items: (call) => call.client.destinations.all(call),
  columns: {
    DESTINATION: ({ destinationId }) => destinationId,
    FORMAT: ({ format }) => format,
    STATUS: ({ status }) => status,
    NAME: ({ name }) => oneLine(name, TEXT),
    TO: ({ url, email }) => oneLine(url ?? email ?? "", TEXT),
  },
});

const add = calling({
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
  async ask(call, given, target) {
    const { client, values } = call;
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
    return await client.destinations.create(body, call);
  },
  text: ({ destinationId }) => destinationId,
});

export const destinations = [list, add];
