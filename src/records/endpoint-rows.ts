import * as z from "zod";
import { readableBy } from "../contract/fields.ts";
import { DEFAULT_CONTROLS, inboundControls } from "../contract/operators.ts";
import { NO_STAMP } from "../contract/revision.ts";
import { type EndpointConfig, endpointConfig } from "../contract/webhooks/endpoint.ts";
import { type Routing, type StoredRouting, storedRouting } from "../contract/webhooks/routing.ts";
import { storedWorkflow } from "../contract/workflow.ts";
import type { endpoints } from "./schema.ts";

/** An endpoint's row with the definition of its workflow, or null, and those of its routes. */
interface EndpointRow {
  endpoint: typeof endpoints.$inferSelect;
  definition: string | null;
  routed: string;
  /** JSON of the account's `inboundControls`; null for the defaults. */
  inbound: string | null;
}

/** The fields of a configuration that are columns of a row, or of another row. */
const COLUMNS = {
  endpointId: true,
  accountId: true,
  version: true,
  path: true,
  deleted: true,
  workflow: true,
  account: true,
  createdAt: true,
  updatedAt: true,
} as const;

type Settings = Omit<EndpointConfig, keyof typeof COLUMNS | "routing"> & {
  routing: StoredRouting | null;
};

/** The other fields, which a row keeps as JSON, those included that only newer code knows. */
const storedSettings: z.ZodType<Settings> = endpointConfig
  .omit(COLUMNS)
  .extend({ routing: storedRouting.nullable().default(null), readableBy })
  .loose();

/** Returns the settings of a configuration as a row keeps them. */
export function settingsText(config: EndpointConfig): string {
  const settings = Object.entries(config).filter(([name]) => !Object.hasOwn(COLUMNS, name));
  return JSON.stringify(storedSettings.parse(Object.fromEntries(settings)));
}

/** Returns a row as a configuration; a deleted one has its former path. Throws if it cannot be read. */
export function configOf({ endpoint, definition, routed, inbound }: EndpointRow): EndpointConfig {
  const { settings, workflowId: _, path, formerPath, deletedAt, ...columns } = endpoint;
  const stored = deletedAt === null ? storedSettings.parse(JSON.parse(settings)) : NOTHING;
  return {
    ...stored,
    ...columns,
    routing: stored.routing && withWorkflows(stored.routing, routed),
    path: path ?? formerPath,
    deleted: deletedAt !== null,
    workflow: definition === null ? null : storedWorkflow.parse(JSON.parse(definition)),
    account: inbound === null ? DEFAULT_CONTROLS : inboundControls.parse(JSON.parse(inbound)),
  };
}

const texts = z.array(z.string());

/** Returns routes with their workflows, null for a deleted one. */
function withWorkflows({ routes }: StoredRouting, routed: string): Routing {
  const definitions = texts
    .parse(JSON.parse(routed))
    .map((text) => storedWorkflow.parse(JSON.parse(text)));
  return {
    routes: routes.map((route) => ({
      ...route,
      workflow: definitions.find(({ workflowId }) => workflowId === route.workflowId) ?? null,
    })),
  };
}

/** The settings of an earlier revision, without secrets. */
export type EndpointSettings = Settings & { path: string | null; workflowId: string | null };

/** Returns the settings of a configuration as a revision has them. */
export function settingsIn({ workflow, ...config }: EndpointConfig): EndpointSettings {
  return { ...config, workflowId: workflow?.workflowId ?? null };
}

const archived = z.object({ path: z.string().nullable(), workflowId: z.string().nullable() });

/** Returns an earlier revision of an endpoint from its JSON. Throws if it cannot be read. */
export function archivedSettings(text: string): EndpointSettings {
  const stored: unknown = JSON.parse(text);
  return { ...storedSettings.parse(stored), ...archived.parse(stored) };
}

/** Returns whether two configurations have different settings, whatever their revisions are. */
export function differ(before: EndpointConfig, after: EndpointConfig): boolean {
  return contentText(before) !== contentText(after);
}

function contentText({ path, workflow, ...config }: EndpointConfig): string {
  const text = settingsText({ ...config, ...NO_STAMP, path, workflow });
  return JSON.stringify([path, workflow?.workflowId ?? null, text]);
}

/** The settings of a deleted endpoint: they admit and start nothing. */
const NOTHING = storedSettings.parse({
  v: 1,
  name: "",
  enabled: false,
  methods: [],
  auth: { token: null, hmac: null, ipAllowlist: null, headers: [] },
  replayProtection: { enabled: true, toleranceSeconds: 1, timestamp: null },
  eventId: null,
  validation: { required: [], types: {}, schema: null, maxBytes: 1 },
  mapping: { auto: false, fields: [] },
  retentionDays: 1,
  requestsPerMinute: 1,
});
