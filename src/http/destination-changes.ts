import type * as z from "zod";
import { changedDestination, recordOf } from "../accounts/destinations.ts";
import { isAllowed } from "../agent/tools/send-email.ts";
import type { Authorized } from "../contract/account.ts";
import {
  type CreateDestination,
  type DestinationChange,
  type DestinationRecord,
  destinationContext,
  type StoredDestination,
  type updateDestinationBody,
} from "../contract/destinations.ts";
import { isIdentityChanged } from "../contract/managed.ts";
import { firstRevision } from "../contract/revision.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { isSealedAs } from "../lib/secrets.ts";
import { last4 } from "../lib/text.ts";
import { createMailer } from "../outbound/email/mailer.ts";
import { createServiceMailer } from "../outbound/email/service-mailer.ts";
import { assertAddress, sealSecret, serviceHosts } from "./agent-settings.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { sealHeaders, shownHeader } from "./connections.ts";
import type { Http } from "./context.ts";
import { type Application, assertRevision, externalIdTaken } from "./external.ts";
import { HttpProblem, invalid, notFound } from "./problem.ts";
import { changeAccount, randomId, tooMany } from "./resource.ts";

type Caller = Pick<Authorized, "accountId" | "by">;
type Fields = Pick<
  CreateDestination,
  "format" | "url" | "email" | "events" | "secret" | "headers" | "content"
>;

/** Throws a 400 for fields that do not fit the format. */
function assertFields({ format, url, email, events, secret, headers, content }: Fields): void {
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

/** Returns what a body changes, as it is stored: the address checked, the secrets sealed. */
async function changeOf(
  http: Http,
  accountId: string,
  body: z.output<typeof updateDestinationBody> & { destinationId: string },
  before: StoredDestination | null,
): Promise<DestinationChange> {
  const { destinationId, externalId, managedBy, url, email, secret, headers } = body;
  const { name, events, payload, content } = body;
  const settings = settingsOf(http.env);
  const context = destinationContext(accountId, destinationId);
  // The same secret is no change.
  const isSame = (text: string, sealed: string | null = null) =>
    isSealedAs(text, sealed, settings.ENCRYPTION_KEY, context);
  if (email !== undefined) await assertRecipient(http, accountId, email);
  return {
    externalId,
    managedBy,
    ...(name !== undefined && { name }),
    ...(payload !== undefined && { payload }),
    ...(content !== undefined && { content }),
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(url !== undefined && {
      url: assertAddress("url", url, serviceHosts(http.req.url, settings), settings),
    }),
    ...(email !== undefined && { email }),
    ...(secret === null && { secret: null, sealedSecret: null }),
    ...(secret != null &&
      !(await isSame(secret, before?.sealedSecret)) && {
        secret: { set: true as const, last4: last4(secret) },
        sealedSecret: await sealSecret(secret, context, settings),
      }),
    ...(headers !== undefined &&
      !(await isSame(JSON.stringify(headers), before?.sealedHeaders)) && {
        headers: Object.entries(headers).map(([name, value]) => shownHeader(name, value)),
        sealedHeaders: await sealHeaders(headers, context, settings),
      }),
    origin: new URL(http.req.url).origin,
  };
}

/** Creates a destination; a dry run only checks it. */
export async function createDestination(
  http: Http,
  caller: Caller,
  body: CreateDestination,
  { dryRun }: Pick<Application, "dryRun">,
): Promise<DestinationRecord> {
  const { accountId } = caller;
  const destinationId = randomId("dst_");
  assertFields(body);
  const now = Date.now();
  const { name, format, events, payload, content } = body;
  const { revision, externalId, managedBy } = firstRevision(now, null, body);
  const destination: StoredDestination = {
    url: null,
    email: null,
    secret: null,
    sealedSecret: null,
    headers: [],
    sealedHeaders: null,
    ...(await changeOf(http, accountId, { ...body, destinationId }, null)),
    ...{ destinationId, name, format, payload, content, revision, externalId, managedBy },
    events: [...new Set(events)],
    status: "enabled",
    origin: new URL(http.req.url).origin,
    failing: null,
    createdAt: now,
    updatedAt: now,
  };
  if (dryRun) return recordOf(destination);
  const reply = await changeAccount(http, caller, (account, actor) =>
    account.addDestination(destination, actor),
  );
  if (reply.kind === "added") return recordOf(destination);
  if (reply.kind === "taken") throw externalIdTaken(externalId ?? "");
  throw tooMany("a destination", reply.limit);
}

/** Returns the destination of the account with an external id, or null. */
export async function destinationAt(http: Http, accountId: string, externalId: string) {
  const found = await storedAt(http, accountId, externalId);
  return found?.externalId === externalId ? found : null;
}

/** Returns the destination of the account with an id. Throws a 404 for none. */
export async function existingDestination(http: Http, accountId: string, id: string) {
  const found = await storedAt(http, accountId, id);
  if (found?.destinationId !== id) throw notFound();
  return found;
}

function storedAt({ env }: Http, accountId: string, id: string) {
  return callWithRetry(() => accountStub(env, accountId).destinationAt(id));
}

/** Returns the change that gives a destination these settings and no others. */
export function replacementOf(
  { format, ...body }: CreateDestination,
  before: StoredDestination,
): z.output<typeof updateDestinationBody> {
  assertFields({ format, ...body });
  if (format !== before.format)
    throw invalid("format", "format", `is \`${before.format}\` and cannot be changed`);
  return { ...body, secret: body.secret ?? null };
}

/** Changes fields of a destination. One that is put under an external id is only stored if that changes it. */
export async function changeDestination(
  http: Http,
  caller: Caller,
  id: string,
  body: z.output<typeof updateDestinationBody>,
  application: Application | null,
): Promise<{ value: DestinationRecord; changed: boolean }> {
  const before = await existingDestination(http, caller.accountId, id);
  assertRevision(application?.ifMatch ?? null, before.revision);
  assertFields({
    format: before.format,
    url: body.url ?? before.url ?? undefined,
    email: body.email ?? before.email ?? undefined,
    events: body.events ?? [],
    secret: body.secret ?? undefined,
    headers: body.headers ?? {},
    content: body.content ?? false,
  });
  const change = await changeOf(http, caller.accountId, { ...body, destinationId: id }, before);
  const after = changedDestination(before, change);
  const changed = after.revision !== before.revision || isIdentityChanged(before, after);
  if (application !== null && (!changed || application.dryRun))
    return { value: recordOf(changed ? after : before), changed };
  const ifRevision = application === null ? undefined : before.revision;
  return { value: await storeChange(http, caller, id, change, ifRevision), changed };
}

/** Has the account change a destination, and throws the problem of what it does not do. */
export async function storeChange(
  http: Http,
  caller: Caller,
  destinationId: string,
  change: DestinationChange,
  ifRevision?: number,
): Promise<DestinationRecord> {
  const reply = await changeAccount(http, caller, (account, actor) =>
    account.changeDestination(destinationId, change, actor, ifRevision),
  );
  if (reply === null) throw notFound();
  if (reply === "taken") throw externalIdTaken(change.externalId ?? "");
  if (reply === "outdated")
    throw new HttpProblem("conflict", "The destination was changed meanwhile. Try again.");
  return reply;
}

/** Deletes a destination with its deliveries. */
export async function removeDestination(
  http: Http,
  caller: Caller,
  { destinationId }: StoredDestination,
): Promise<void> {
  await changeAccount(http, caller, (account, actor) =>
    account.removeDestination(destinationId, actor),
  );
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
