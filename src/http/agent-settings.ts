import { firstUnusable, type UnusableModel } from "../agent/models/registry.ts";
import { CALLBACK_SECRET_CONTEXT } from "../contract/callbacks.ts";
import type { DecisionRules } from "../contract/decisions.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ModelChain } from "../contract/models.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { TriggerBody } from "../contract/trigger.ts";
import { accountStub } from "../durable/stubs.ts";
import { type Settings, settingsOf } from "../env.ts";
import { schemaFault } from "../lib/json-schema/validate.ts";
import { seal } from "../lib/secrets.ts";
import { checkAddress } from "../outbound/address.ts";
import { createServiceMailer } from "../outbound/email/service-mailer.ts";
import { createSearchClient } from "../outbound/search.ts";
import { callWithRetry, type HttpProblem, invalid, unavailable } from "./problem.ts";

/** Returns the hosts of the service, by this request's address and by its configuration. */
export function serviceHosts(requestUrl: string, settings: Settings): string[] {
  return [new URL(requestUrl).host, ...settings.SERVICE_HOSTS];
}

/** Throws a 400 for models of which the account cannot use one. */
export async function assertModels(chain: ModelChain, env: CloudflareEnv, accountId: string) {
  const service = { settings: settingsOf(env), bindings: env };
  if (firstUnusable(chain, service) === null) return;
  const own = await callWithRetry(() => accountStub(env, accountId).models());
  const unusable = firstUnusable(chain, { ...service, ...own });
  if (unusable !== null) throw modelProblem(unusable);
}

/** Returns the 400 for a model that cannot be used. */
export function modelProblem({ field, message }: UnusableModel): HttpProblem {
  return invalid(field, "model", message);
}

/** Whether this deployment has the tool `search_web`. */
export function canSearch(settings: Settings): boolean {
  return createSearchClient(settings) !== null;
}

/** Throws a 400 for a tool that this deployment does not have. */
export function assertTools(tools: readonly string[], settings: Settings): void {
  const position = tools.indexOf("search_web");
  if (position === -1 || canSearch(settings)) return;
  throw invalid(
    `tools[${position}]`,
    "tool",
    "names search_web, which needs a search provider: SEARXNG_URL, BRAVE_API_KEY or TAVILY_API_KEY",
  );
}

/** Throws a 400 where people cannot be told: without e-mail, at no destination of the account, or never. */
export async function assertNotified(
  { notify, escalateTo, remindAfterSeconds }: DecisionRules,
  env: CloudflareEnv,
  accountId: string,
): Promise<void> {
  if (escalateTo.length > 0 && remindAfterSeconds === null) {
    throw invalid("escalateTo", "reminder", "needs `remindAfterSeconds`");
  }
  const told = [...notify, ...escalateTo];
  const isMailed = told.some(({ email }) => email !== undefined);
  if (isMailed && createServiceMailer(env, settingsOf(env)) === null) {
    throw invalid("notify", "email", "names an e-mail address, but this service sends no e-mail");
  }
  const named = told.flatMap(({ destinationId }) => destinationId ?? []);
  if (named.length === 0) return;
  const all = await callWithRetry(() => accountStub(env, accountId).listDestinations());
  const unknown = named.find((id) => all.every(({ destinationId }) => destinationId !== id));
  if (unknown === undefined) return;
  const message = `names the destination ${unknown}, which the account does not have. Create one at /api/v1/destinations`;
  throw invalid("notify", "destination", message);
}

/** Throws a 400 for a schema that results cannot be validated against. */
export function assertOutputSchema(schema: JsonObject): void {
  const fault = schemaFault(schema);
  if (fault !== null) throw invalid(`outputSchema${fault.path}`, fault.rule, fault.message);
}

/** Throws a 400 for an https address of `field` that the service must not call; returns it canonical. */
export function assertAddress(field: string, url: string, ownHosts: string[], settings: Settings) {
  const { ALLOW_LOOPBACK: allowLoopback } = settings;
  const checked = checkAddress(url, { allowLoopback, ownHosts, schemes: ["https"] });
  if (!checked.ok) throw invalid(field, "address", checked.reason);
  return checked.url.href;
}

/** Returns the callback of an execution, its address checked and its secret encrypted; null for none. */
export async function callbackOf(
  { callbackUrl, callbackSecret, callbackEvents }: TriggerBody,
  ownHosts: string[],
  settings: Settings,
): Promise<ExecutionSeed["callback"]> {
  if (callbackUrl != null) assertAddress("callbackUrl", callbackUrl, ownHosts, settings);
  if (callbackUrl == null && callbackSecret === undefined) return null;
  return {
    url: callbackUrl ?? null,
    sealedSecret:
      callbackSecret === undefined
        ? null
        : await sealSecret(callbackSecret, CALLBACK_SECRET_CONTEXT, settings),
    events: callbackEvents,
  };
}

/** Encrypts a secret for one context. Throws a 503 if the service has no encryption key. */
export async function sealSecret(secret: string, context: string, { ENCRYPTION_KEY }: Settings) {
  if (ENCRYPTION_KEY.length > 0) return seal(secret, ENCRYPTION_KEY, context);
  throw unavailable(
    "This service cannot store secrets because ENCRYPTION_KEY is not set. Contact the operators.",
    3_600,
  );
}
