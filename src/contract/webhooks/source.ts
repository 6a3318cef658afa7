import * as z from "zod";
import { closed, matching, oneOf, open, textUpTo } from "../fields.ts";
import { jsonObject } from "../json.ts";

const fields = {
  mcpServerId: matching(/^mcp_[0-9A-Za-z]{16}$/).describe("The MCP server that has the event."),
  event: textUpTo(1_500).describe("The name of the event, as the server lists it."),
};
const given = jsonObject.describe("The arguments of the subscription, as the server has them.");

/** `source` in a body. */
export const sourceBody = closed({ ...fields, arguments: given.default({}) })
  .nullable()
  .describe(
    "An event of a remote MCP server to subscribe to. The subscription is renewed by itself, and the event arrives as a webhook that the server signs; a server that offers no webhooks is polled. `auth` is set by the source.",
  );

/** A source as it is stored: with the address of the service, to which the server delivers. */
export const storedSource = open({ ...fields, arguments: jsonObject, origin: z.string() });
export type StoredSource = z.infer<typeof storedSource>;

export const sourceStatus = oneOf("pending", "active", "failing", "ended");

/** How a subscription is, as its endpoint's inbox knows it. */
const sourceState = open({
  state: sourceStatus.describe(
    "`pending`: not subscribed yet. `active`: subscribed, or polled. `failing`: the last try failed, another follows. `ended`: the server was removed, or the endpoint is disabled.",
  ),
  reason: z.string().nullable().describe("Why it fails or has ended."),
});
export type SourceState = z.infer<typeof sourceState>;

/** A source as a revision has it. */
export const revisedSource = open({ ...fields, arguments: given })
  .nullable()
  .describe("The event of an MCP server that it is subscribed to.");

/** A source as the API shows it. */
export const shownSource = open({ ...fields, arguments: given, ...sourceState.shape })
  .nullable()
  .meta({ id: "Source", description: "The event of an MCP server that it is subscribed to." });
