import { webhookPresets } from "../../contract/webhooks/presets.ts";
import { CATALOG, listedPreset } from "../../intake/signatures/catalog.ts";
import { jsonResponse, route } from "../route.ts";
import { reader } from "./resource.ts";

/** Lists the senders that endpoints know. */
export const presets = route("GET", "/api/v1/webhook-presets", {
  operationId: "listWebhookPresets",
  summary: "List the presets of senders",
  description:
    "Returns all senders that endpoints know, with what is verified, the places of the event's id and type, the check of the address and a sample.",
  auth: reader,
  response: jsonResponse(200, "The presets.", webhookPresets, {
    presets: [listedPreset("github")],
  }),
  handler: async () => ({ value: { presets: CATALOG.map(listedPreset), nextCursor: null } }),
});
