import { isAllowed } from "../agent/tools/send-email.ts";
import {
  type CreateDestination,
  destinationContext,
  type StoredDestination,
} from "../contract/destinations.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { last4 } from "../lib/text.ts";
import { createMailer } from "../outbound/email/mailer.ts";
import { createServiceMailer } from "../outbound/email/service-mailer.ts";
import { assertAddress, sealSecret, serviceHosts } from "./agent-settings.ts";
import { callWithRetry } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { sealHeaders, shownHeader } from "./mcp-servers.ts";
import { invalid } from "./problem.ts";

type Fields = Pick<
  CreateDestination,
  "format" | "url" | "email" | "events" | "secret" | "headers" | "content"
>;

/** Throws a 400 for fields that do not fit the format. */
export function assertFields({
  format,
  url,
  email,
  events,
  secret,
  headers,
  content,
}: Fields): void {
  const isMail = format === "email";
  const target = isMail ? "email" : "url";
  if ((isMail ? email : url) === undefined) {
    throw invalid(target, "required", `is required for the format \`${format}\``);
  }
  const refused: [boolean, string][] = [
    [isMail && url !== undefined, "url"],
    [!isMail && email !== undefined, "email"],
    [format === "otlp" && events.length > 0, "events"],
    [secret !== undefined && format !== "standard" && format !== "cloudevents", "secret"],
    [["email", "slack", "teams"].includes(format) && Object.keys(headers).length > 0, "headers"],
    [content && format !== "otlp", "content"],
  ];
  const [, field] = refused.find(([isRefused]) => isRefused) ?? [];
  if (field !== undefined) {
    throw invalid(field, "format", `is not used by the format \`${format}\`; leave it out`);
  }
}

/** Returns the given settings as they are stored: the address checked, the secrets sealed. */
export async function settingsFor(
  http: Http,
  accountId: string,
  given: { destinationId: string } & {
    [Name in "url" | "email" | "secret" | "headers"]?: Fields[Name] | undefined;
  },
): Promise<Partial<StoredDestination>> {
  const { url, email, secret, headers } = given;
  const settings = settingsOf(http.env);
  const context = destinationContext(accountId, given.destinationId);
  if (email !== undefined) await assertRecipient(http, accountId, email);
  return {
    ...(url !== undefined && {
      url: assertAddress("url", url, serviceHosts(http.req.url, settings), settings),
    }),
    ...(email !== undefined && { email }),
    ...(secret !== undefined && {
      secret: { set: true as const, last4: last4(secret) },
      sealedSecret: await sealSecret(secret, context, settings),
    }),
    ...(headers !== undefined && {
      headers: Object.entries(headers).map(([name, value]) => shownHeader(name, value)),
      sealedHeaders: await sealHeaders(headers, context, settings),
    }),
  };
}

/** Throws a 400 for a recipient who is neither a member nor allowed by the operators. */
async function assertRecipient({ env }: Http, accountId: string, email: string): Promise<void> {
  const settings = settingsOf(env);
  if (createServiceMailer(env, settings) === null) {
    throw invalid("email", "email", "needs e-mail, which is not set up here; ask the operators");
  }
  const [members, overview] = await Promise.all([
    callWithRetry(() => accountStub(env, accountId).listMembers()),
    callWithRetry(() => accountStub(env, accountId).overview()),
  ]);
  const { route: by, allowedRecipients } = createMailer(
    settings,
    env.EMAIL,
    overview?.emailRecipients ?? null,
  );
  const isMember = members.some((member) => member.email === email);
  if (isMember || by === "outbox" || isAllowed(email, allowedRecipients)) return;
  throw invalid("email", "recipient", "is not a member, and the operators do not allow it");
}
