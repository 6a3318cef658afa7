import { parseArgs } from "node:util";
import { isLoopbackHost } from "../../src/lib/http.ts";
import { UserError } from "../local/project.ts";

export const USAGE = `Usage: npm run smoke -- <url> [--json] [--callback-url <url> [--callback-port <port>]]

  <url>                    the service, such as https://prompthook.example.com
  --json                   one JSON value in place of lines
  --callback-url <url>     an address that the service can reach, for a callback
  --callback-port <port>   the port of this machine that it leads to: the signature is verified too

PROMPTHOOK_API_KEY is the key that it works with, or ADMIN_TOKEN opens an account for it.`;

/** What the command line and the environment ask for. Throws `UserError` where that is not clear. */
export function readOptions(
  args: string[],
  environment: NodeJS.ProcessEnv,
): { target: Target; json: boolean } {
  const { values, positionals } = parse(args);
  const [url, ...rest] = positionals;
  if (url === undefined || rest.length > 0) throw new UserError(USAGE);
  return {
    target: {
      url: originOf(url),
      credential: credentialIn(environment),
      callback: callbackOf(values["callback-url"], values["callback-port"]),
    },
    json: values.json,
  };
}

/** The origin of a web address that keys may be sent to. Throws `UserError` for anything else. */
export function originOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.protocol === "https:") return parsed.origin;
  if (parsed?.protocol === "http:" && isLoopbackHost(parsed.hostname)) return parsed.origin;
  throw new UserError(
    `${url} is no https address; give one such as https://prompthook.example.com.`,
  );
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        "callback-url": { type: "string" },
        "callback-port": { type: "string" },
      },
    });
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function credentialIn({ PROMPTHOOK_API_KEY, ADMIN_TOKEN }: NodeJS.ProcessEnv): Credential {
  if (PROMPTHOOK_API_KEY) return { apiKey: PROMPTHOOK_API_KEY };
  if (ADMIN_TOKEN) return { adminToken: ADMIN_TOKEN };
  throw new UserError(
    "Set PROMPTHOOK_API_KEY to a key of an account, or ADMIN_TOKEN to open an account for this.",
  );
}

function callbackOf(url: string | undefined, port: string | undefined): CallbackAddress | null {
  if (url === undefined) {
    if (port === undefined) return null;
    throw new UserError("--callback-port needs --callback-url, the address that leads to it.");
  }
  if (!URL.canParse(url)) throw new UserError(`--callback-url is ${url}, which is no web address.`);
  if (port === undefined) return { url, port: null };
  const number = Number(port);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return { url, port: number };
  throw new UserError(`--callback-port is ${port}; it must be a number from 1 to 65535.`);
}

/** The service that is checked, and with what. */
export interface Target {
  /** Its origin. */
  url: string;
  credential: Credential;
  callback: CallbackAddress | null;
}

/** Who signs in: a key of an account, or an operator who opens one for this. */
export type Credential = { apiKey: string } | { adminToken: string };

/** Where a callback is to go. */
export interface CallbackAddress {
  /** An address that the service can reach. */
  url: string;
  /** The port of this machine to which it leads; null where the receiver is somebody else's. */
  port: number | null;
}
