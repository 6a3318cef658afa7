import { parseArgs } from "node:util";
import { isLoopbackHost } from "../../src/lib/http.ts";
import { UserError } from "../local/project.ts";

export const USAGE = `Usage: npm run smoke -- <url> [--json] [--callback-url <url> [--callback-port <port>]]

  <url>                    the service, such as https://prompthook.example.com
  --json                   prints one JSON value instead of lines
  --callback-url <url>     an address that the service can reach, for a callback
  --callback-port <port>   the port of this machine behind it, where the signature is verified

Set PROMPTHOOK_API_KEY to a key of an account, or ADMIN_TOKEN to open one for the check.`;

/** Reads the command line and the environment. Throws `UserError` for invalid ones. */
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

/** Returns the origin of an address that keys may be sent to. Throws `UserError` for any other. */
export function originOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.protocol === "https:") return parsed.origin;
  if (parsed?.protocol === "http:" && isLoopbackHost(parsed.hostname)) return parsed.origin;
  throw new UserError(
    `${url} is not an https address. Use one such as https://prompthook.example.com.`,
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
    "Set PROMPTHOOK_API_KEY to the key of an account, or ADMIN_TOKEN to open one for the check.",
  );
}

function callbackOf(url: string | undefined, port: string | undefined): CallbackAddress | null {
  if (url === undefined) {
    if (port === undefined) return null;
    throw new UserError("--callback-port needs --callback-url, the address that leads to it.");
  }
  if (!URL.canParse(url))
    throw new UserError(`--callback-url is ${url}. It must be an absolute address.`);
  if (port === undefined) return { url, port: null };
  const number = Number(port);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return { url, port: number };
  throw new UserError(`--callback-port is ${port}. It must be a number from 1 to 65535.`);
}

/** The service to check, and the means. */
export interface Target {
  /** Its origin. */
  url: string;
  credential: Credential;
  callback: CallbackAddress | null;
}

/** A key of an account, or the token of an operator who opens one. */
export type Credential = { apiKey: string } | { adminToken: string };

/** The address for a callback. */
interface CallbackAddress {
  /** An address that the service can reach. */
  url: string;
  /** The port of this machine behind it; null when the receiver is another program. */
  port: number | null;
}
