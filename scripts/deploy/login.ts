import * as z from "zod";
import { UserError } from "../local/project.ts";
import type { DeployedConfig } from "./config.ts";
import { failure, type Wrangler } from "./wrangler.ts";

const WHOAMI = ["whoami", "--json"];

const whoami = z.discriminatedUnion("loggedIn", [
  z.object({ loggedIn: z.literal(false) }),
  z.object({
    loggedIn: z.literal(true),
    email: z.string().optional(),
    accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
]);

/** The Cloudflare account that is deployed to. */
export interface Account {
  id: string;
  name: string;
  /** Who is signed in, where wrangler may know. */
  email: string | null;
}

/** Who is signed in to Cloudflare, and to which account. Throws `UserError` where either is not clear. */
export async function signedIn(
  wrangler: Wrangler,
  config: DeployedConfig,
  environment: NodeJS.ProcessEnv,
): Promise<Account> {
  const outcome = await wrangler(WHOAMI);
  const parsed = whoami.safeParse(parseJson(outcome.stdout));
  if (!parsed.success) throw new UserError(failure(WHOAMI, outcome));
  if (!parsed.data.loggedIn) {
    throw new UserError(
      "You are not signed in to Cloudflare. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN; then run this again.",
    );
  }
  const { accounts, email = null } = parsed.data;
  const wanted = config.accountId ?? environment.CLOUDFLARE_ACCOUNT_ID;
  const [first, ...others] = accounts.filter(({ id }) => wanted === undefined || id === wanted);
  if (first === undefined)
    throw new UserError(`This sign-in has no account ${wanted ?? "at all"}.`);
  if (others.length === 0) return { ...first, email };
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  throw new UserError(`Choose one of your accounts by CLOUDFLARE_ACCOUNT_ID=<id>:\n${list}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
