import * as z from "zod";
import { fromBase64 } from "./lib/encoding.ts";
import { mapMembers } from "./lib/json-values.ts";
import { REGIONS } from "./lib/place.ts";
import { serviceAccount } from "./lib/service-account.ts";

/** The end of the name of each queue of dead letters, and of no other; `npm run deploy` refuses others. */
export const DEAD_LETTERS = "-dead";

const flag = z
  .enum(["true", "false"], "must be true or false")
  .transform((value) => value === "true");
const list = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);
const address = z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" });
const keys = list.refine(
  (all) => all.every((key) => fromBase64(key)?.length === 32),
  "must be base64 keys of 32 bytes, separated by commas: `openssl rand -base64 32` makes one",
);
/** An address to which paths are added. */
const baseUrl = address.transform((url) => url.replace(/\/+$/, ""));
/** The origin of a host that is given without its protocol. */
const teamDomain = z
  .string()
  .transform((domain) => (domain.includes("://") ? domain : `https://${domain}`))
  .pipe(z.url("must be a host such as acme.cloudflareaccess.com"))
  .transform((url) => new URL(url).origin);

/** `name=value` pairs between commas; a value may contain `=`. */
const pairs = list.transform((parts) =>
  Object.fromEntries(
    parts.map((part) => {
      const [name = "", ...value] = part.split("=");
      return [name.trim(), value.join("=").trim()];
    }),
  ),
);

/** OpenAI itself, which asks for a key. */
export const OPENAI_URL = "https://api.openai.com/v1";

/** Where servers of these names usually are. */
const KNOWN_SERVERS: Readonly<Record<string, string>> = {
  ollama: "http://127.0.0.1:11434/v1",
  lmstudio: "http://127.0.0.1:1234/v1",
  openrouter: "https://openrouter.ai/api/v1",
};

/** The names of providers that are set up otherwise. */
const TAKEN = new Set(["openai", "anthropic", "google", "workers-ai", "builtin"]);

/** Servers by name, with their addresses. */
const servers = pairs.transform((named, context) =>
  mapMembers(named, (given, name) => {
    const url = given === "" ? (KNOWN_SERVERS[name] ?? "") : given;
    const isGood =
      /^[a-z0-9-]{1,32}$/.test(name) && !TAKEN.has(name) && address.safeParse(url).success;
    const message =
      "must name servers as name=address, such as ollama=http://127.0.0.1:11434/v1; openai, anthropic, google and workers-ai are set up otherwise";
    if (!isGood) context.addIssue({ code: "custom", message });
    return url;
  }),
);

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
};

const UNGUESSABLE =
  "must have at least 32 characters and not repeat a pattern: set it to the output of `openssl rand -hex 32`";

/** Tells whether a text repeats its beginning, such as `abcabcab`, or has few different characters. */
function isRepetitive(text: string): boolean {
  const repeats = (length: number) => text.startsWith(text.slice(length));
  const lengths = Array.from({ length: text.length / 2 }, (_, at) => at + 1);
  return new Set(text).size < 6 || lengths.some(repeats);
}

const schema = z.object({
  /** The model of triggers that name none. */
  DEFAULT_MODEL: z.string().default("builtin/demo"),
  /** Lets callbacks and tools reach loopback addresses; for development only. */
  ALLOW_LOOPBACK: flag.default(false),
  /** Operators' bearer token; without one the admin routes refuse every caller. */
  ADMIN_TOKEN: z
    .string()
    .refine((token) => token.length >= 32 && !isRepetitive(token), UNGUESSABLE)
    .optional(),
  /** Base64 keys of 32 bytes, the newest first; without one no secret can be stored. */
  ENCRYPTION_KEY: keys.default([]),
  /** Base64 keys of 32 bytes, the newest first; ids of endpoints and API keys carry a check under one. */
  ID_KEY: keys.default([]),
  /** The region of accounts that are created with neither a region nor a jurisdiction. */
  DEFAULT_REGION: z.enum(REGIONS, `must be one of ${REGIONS.join(", ")}`).optional(),
  EXECUTION_RETENTION_DAYS: wholeNumber(1, 3_650).default(30),
  /** The OpenAI-compatible server of models named `openai/...`. */
  OPENAI_BASE_URL: address.default(OPENAI_URL),
  OPENAI_API_KEY: z.string().optional(),
  /** Anthropic's API for models named `anthropic/...`, or a gateway to it. */
  ANTHROPIC_BASE_URL: address.default("https://api.anthropic.com/v1"),
  ANTHROPIC_API_KEY: z.string().optional(),
  /** Google's Gemini API for models named `google/...`. */
  GEMINI_BASE_URL: address.default("https://generativelanguage.googleapis.com/v1beta"),
  GEMINI_API_KEY: z.string().optional(),
  /** Further servers with OpenAI's API, as `name=address`; their models are named `name/...`. */
  MODEL_SERVERS: servers.default({}),
  /** Their keys, as `name=key`. */
  MODEL_SERVER_KEYS: pairs.default({}),
  /** The context window of language models, in place of the one that the catalogue has for a name. */
  MODEL_CONTEXT_TOKENS: wholeNumber(4_000, 100_000_000).optional(),
  /** The deadline of one model call. */
  MODEL_TIMEOUT_SECONDS: wholeNumber(1, 600).default(120),
  /** Resolves names before they are called, as `application/dns-json`; without one, there is no look-up. */
  DNS_OVER_HTTPS_URL: address.optional(),
  /** The SearXNG instance that `search_web` asks, or else Brave or Tavily; the first one set counts. */
  SEARXNG_URL: address.optional(),
  BRAVE_API_KEY: z.string().optional(),
  BRAVE_BASE_URL: baseUrl.default("https://api.search.brave.com/res/v1"),
  TAVILY_API_KEY: z.string().optional(),
  TAVILY_BASE_URL: baseUrl.default("https://api.tavily.com"),
  /** The sender of the agents' e-mail; without one, e-mail that would be delivered is refused. */
  EMAIL_FROM: z.email("must be an e-mail address").optional(),
  /** Allowed recipients: addresses, `@domain` for a whole domain, `*` for everybody. */
  EMAIL_ALLOWED_RECIPIENTS: list.default([]),
  /** `smtps://user:password@host:465`, or `smtp://...:587`, which has to offer STARTTLS. */
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an smtps:// or smtp:// address" })
    .optional(),
  /** The JSON key of a Google service account that may edit the sheets below. */
  GOOGLE_SERVICE_ACCOUNT: serviceAccount.optional(),
  /** Ids of the Google Sheets that agents may append to; the first is the default. */
  GOOGLE_SHEETS: list.default([]),
  GOOGLE_SHEETS_URL: baseUrl.default("https://sheets.googleapis.com"),
  /** The team of Cloudflare Access, such as `acme.cloudflareaccess.com`, and the audience of its application. */
  ACCESS_TEAM_DOMAIN: teamDomain.optional(),
  ACCESS_AUD: z.string().optional(),
  /** The issuer of the OAuth authorization server whose access tokens \`/mcp\` takes. */
  MCP_AUTHORIZATION_SERVER: address.optional(),
  /** The lowest TLS version of inbound webhooks, where Cloudflare reports it. */
  MIN_TLS_VERSION: z
    .enum(["1.0", "1.1", "1.2", "1.3"], "must be 1.0, 1.1, 1.2 or 1.3")
    .default("1.3"),
  /** Further `host[:port]` names of this service, which it never calls itself. */
  SERVICE_HOSTS: list.default([]),
});

/** The names of the service's variables. */
export const VARIABLES = Object.keys(schema.shape);

/** The service's variables, parsed. */
export type Settings = z.infer<typeof schema>;

/**
 * Parses the variables; an empty one counts as unset. Throws an error that names the invalid ones, so that
 * a bad deployment fails at once.
 */
export function parseSettings(env: object): Settings {
  const given = Object.entries(env).filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}.`);
  throw new Error(`Invalid configuration: ${problems.join(" ")}`);
}

const cache = new WeakMap<object, Settings>();

/** Returns the settings of this isolate, parsed once. */
export function settingsOf(env: object): Settings {
  const known = cache.get(env);
  if (known) return known;
  const settings = parseSettings(env);
  cache.set(env, settings);
  return settings;
}
