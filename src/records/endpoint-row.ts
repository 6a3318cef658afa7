import type * as z from "zod";
import { type EndpointConfig, endpointConfig } from "../contract/inbound/endpoint.ts";
import { workflowDefinition } from "../contract/workflow.ts";
import type { endpoints } from "./schema.ts";

/** An endpoint's row beside the definition of its workflow, null for none. */
export interface EndpointRow {
  endpoint: typeof endpoints.$inferSelect;
  definition: string | null;
}

/** What a row keeps as JSON: all of a configuration that is no column. */
const storedSettings = endpointConfig.pick({
  v: true,
  name: true,
  enabled: true,
  methods: true,
  auth: true,
  replayProtection: true,
  eventId: true,
  onDuplicate: true,
  validation: true,
  mapping: true,
  retentionDays: true,
  requestsPerMinute: true,
});

/** The settings of a configuration as a row keeps them. */
export function settingsText(config: EndpointConfig): string {
  return JSON.stringify(storedSettings.parse(config));
}

/** A row as a configuration; a deleted one names the path that it had. Throws for one that cannot be read. */
export function configOf({ endpoint, definition }: EndpointRow): EndpointConfig {
  const { settings, workflowId: _, path, formerPath, deletedAt, ...columns } = endpoint;
  const stored = deletedAt === null ? storedSettings.parse(JSON.parse(settings)) : NOTHING;
  return {
    ...stored,
    ...columns,
    path: path ?? formerPath,
    deleted: deletedAt !== null,
    workflow: definition === null ? null : workflowDefinition.parse(JSON.parse(definition)),
  };
}

/** The settings of what was deleted: they let nobody in and start nothing. */
const NOTHING: z.infer<typeof storedSettings> = {
  v: 1,
  name: "",
  enabled: false,
  methods: [],
  auth: { token: null, hmac: null, ipAllowlist: null, headers: [] },
  replayProtection: { enabled: true, toleranceSeconds: 1, timestamp: null },
  eventId: null,
  onDuplicate: "skip",
  validation: { required: [], types: {}, schema: null, maxBytes: 1 },
  mapping: { auto: false, fields: [] },
  retentionDays: 1,
  requestsPerMinute: 1,
};
