import * as z from "zod";
import { isAccountId } from "../accounts/key-format.ts";
import { decisionId } from "../contract/decisions.ts";
import { executionId } from "../contract/execution.ts";
import { closed } from "../contract/fields.ts";
import { MCP_TOKEN_PREFIX } from "../contract/mcp.ts";
import { externalId } from "../contract/revision.ts";
import { scheduleId } from "../contract/schedule.ts";
import { SHARE_PREFIX } from "../contract/shares.ts";
import { endpointId } from "../contract/webhooks/endpoint.ts";
import { requestId } from "../contract/webhooks/log.ts";
import { workflowId } from "../contract/workflow.ts";

/** Returns the query of a route with these parameters and no others. */
export const parameters = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  closed(shape, "parameter");

/** The query of a route without parameters. */
export const noQuery = parameters({});

/** Reads the query of an address. A parameter that is repeated becomes a list. */
export function readQuery(url: string): Record<string, string | string[]> {
  const start = url.indexOf("?");
  if (start < 0) return {};
  const found = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(found);
}

/** Says of a parameter with one value that it must not be repeated. */
export const saysRepeated: z.core.$ZodErrorMap = ({ code, input }) =>
  code === "invalid_type" && Array.isArray(input) ? "must be given once" : undefined;

/** Returns the schema of a parameter that is a whole number within these bounds, both included. */
export function wholeNumber(minimum: number, maximum: number) {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, rule)
    .meta(documentedAs({ type: "integer", minimum, maximum }));
}

/** The same for a parameter that may be left out. */
export function wholeNumberOr(fallback: number, minimum: number, maximum: number) {
  return wholeNumber(minimum, maximum)
    .default(fallback)
    .meta(documentedAs({ type: "integer", minimum, maximum, default: fallback }));
}

const repeated = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().flatMap((part) => part.split(",")));

/** A parameter of ids that may be left out, repeated or hold several ids between commas. */
export const idList = repeated
  .optional()
  .meta(documentedAs({ type: "array", items: { type: "string" } }));

/** Returns the schema of a parameter that may be repeated or hold several values between commas. */
export function listOf<Values extends Record<string, string>>(item: z.ZodEnum<Values>) {
  return repeated
    .pipe(z.array(item))
    .default([])
    .meta({
      ...documentedAs({ type: "array", items: { type: "string", enum: item.options } }),
      description: "Only these. Repeat the parameter or separate values with commas.",
    });
}

/** A time, parsed to epoch milliseconds. */
export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Documents a parameter by its meaning instead of the text that carries it. */
function documentedAs(schema: Record<string, unknown>) {
  return {
    override({ jsonSchema }: { jsonSchema: Record<string, unknown> }) {
      const { description } = jsonSchema;
      for (const keyword of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, keyword);
      Object.assign(jsonSchema, schema, description !== undefined && { description });
    },
  };
}

/** Returns the schema of an id: a prefix, then random letters and digits. */
function idOf(noun: string, prefix: string) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}[0-9A-Za-z]{16}$`))
    .describe(`The id of the ${noun}: \`${prefix}\` and 16 letters and digits.`);
}

/** What each parameter of a path must be. */
const PARAMS = {
  accountId: z.string().refine(isAccountId, "must be an account id").describe("The account's id."),
  connectionId: idOf("connection", "con_"),
  decisionId,
  deliveryId: z
    .string()
    .regex(/^del_[0-9a-f]{12}_[\w.-]{1,80}$/)
    .describe("The id of the delivery."),
  destinationId: idOf("destination", "dst_"),
  endpointId,
  // UUIDs are equal in either case (RFC 9562 §4); objects are named by the lower one.
  executionId: z
    .uuid()
    .toLowerCase()
    .meta(executionId.meta() ?? {}),
  externalId,
  keyId: idOf("key", "key_"),
  memberId: idOf("member", "mem_"),
  outputId: z.string().min(1).max(128).describe("The id of the output."),
  providerId: idOf("provider", "prov_"),
  rehearsalId: z.uuid().describe("The id of the rehearsal."),
  replayId: z.uuid().describe("The id of the replay."),
  requestId,
  retryId: z.uuid().describe("The id of the retry."),
  revision: wholeNumber(1, 999_999_999).describe("The number of the revision."),
  scheduleId,
  serverId: idOf("MCP server", "mcp_"),
  shareId: idOf("share", SHARE_PREFIX),
  step: wholeNumber(1, 10_000).meta({
    description: "The number of the step, from 1.",
    param: { example: 1 },
  }),
  tokenId: idOf("token", MCP_TOKEN_PREFIX),
  workflowId,
};

/** The name of a parameter of a path. */
type Param = keyof typeof PARAMS;

/** The names of the parameters of a path in Hono's form. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a path in Hono's form, as they are parsed. */
export type PathParams<Path extends string> = {
  [Name in NamesIn<Path> & Param]: z.output<(typeof PARAMS)[Name]>;
};

const schemas = new Map<string, z.ZodType>(Object.entries(PARAMS));

/** Returns the schema of the parameters of a path. Throws for a name that no parameter has. */
export function paramsOf(path: string): z.ZodObject {
  const shape: Record<string, z.ZodType> = {};
  for (const [, name = ""] of path.matchAll(/:(\w+)/g)) {
    const schema = schemas.get(name);
    if (schema === undefined) throw new Error(`${path} has an unknown parameter ${name}`);
    shape[name] = schema;
  }
  return z.object(shape);
}
