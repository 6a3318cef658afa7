import * as z from "zod";
import { serviceAccount } from "./lib/service-account.ts";

const flag = z.enum(["true", "false"]).transform((value) => value === "true");
const list = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

const schema = z.object({
  /** The model of a trigger that names none. */
  DEFAULT_MODEL: z.string().default("builtin/planner"),
  /** Lets callbacks and tools reach loopback addresses; for development only. */
  ALLOW_LOOPBACK: flag.default(false),
  /** Operators' bearer token; without one the admin routes refuse everybody. */
  ADMIN_TOKEN: z.string().min(16).optional(),
  /** Base64 keys of 32 bytes, the newest first; without one nothing secret can be stored. */
  ENCRYPTION_KEY: list.default([]),
  EXECUTION_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
  /** An OpenAI-compatible server for models named `openai/...`. */
  OPENAI_BASE_URL: z.url().default("https://api.openai.com/v1"),
  OPENAI_API_KEY: z.string().optional(),
  /** Anthropic's API for models named `anthropic/...`, or a gateway in front of it. */
  ANTHROPIC_BASE_URL: z.url().default("https://api.anthropic.com/v1"),
  ANTHROPIC_API_KEY: z.string().optional(),
  /** The context window of language models, where it is not the one that windows.ts has for a name. */
  MODEL_CONTEXT_TOKENS: z.coerce.number().int().min(4_000).optional(),
  /** How long one model call may take. */
  MODEL_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(600).default(120),
  /** Resolves names before they are called, as `application/dns-json`; empty means not at all. */
  DNS_OVER_HTTPS_URL: z.union([z.literal(""), z.url()]).default(""),
  /** The sender of the agents' e-mail. */
  EMAIL_FROM: z.email().default("agent@prompthook.local"),
  /** Who may be written to: addresses, `@domain` for all of a domain, `*` for everybody. */
  EMAIL_ALLOWED_RECIPIENTS: list.default([]),
  /** `smtps://user:password@host:465`, or `smtp://...:587`, which has to offer STARTTLS. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The JSON key of a Google service account that may edit the sheets below. */
  GOOGLE_SERVICE_ACCOUNT: serviceAccount.optional(),
  /** Ids of the Google Sheets that agents may append to; the first is the one used by default. */
  GOOGLE_SHEETS: list.default([]),
  GOOGLE_SHEETS_URL: z.url().default("https://sheets.googleapis.com"),
  /** The lowest TLS version that inbound webhooks may come over, where it is known. */
  MIN_TLS_VERSION: z.enum(["1.0", "1.1", "1.2", "1.3"]).default("1.3"),
  /** Further `host[:port]` names under which this service is reached, which it never calls itself. */
  SERVICE_HOSTS: list.default([]),
});

/** The names of all the service's variables. */
export const VARIABLES = Object.keys(schema.shape);

/** The service's variables, parsed. */
export type Settings = z.infer<typeof schema>;

/** Parses the variables; throws naming the ones that are wrong, so that a bad deployment fails at once. */
export function parseSettings(env: object): Settings {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new Error(`The service is not configured rightly: ${z.prettifyError(parsed.error)}`);
}

const cache = new WeakMap<object, Settings>();

/** The settings of this isolate, parsed once. */
export function settingsOf(env: object): Settings {
  const known = cache.get(env);
  if (known) return known;
  const settings = parseSettings(env);
  cache.set(env, settings);
  return settings;
}
