import type { EndpointConfig } from "../../contract/inbound/endpoint.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { rememberConfig } from "../../inbound/directory.ts";
import { logError } from "../../lib/log.ts";
import { type EndpointWrite, updateEndpoint } from "../../records/endpoints.ts";
import { callWithRetry } from "../call-with-retry.ts";
import type { Http } from "../context.ts";
import { HttpProblem } from "../problem.ts";
import type { EndpointDraft } from "./draft.ts";
import { existing } from "./resource.ts";

/** Changes of others that a change is tried again after. */
const TRIES = 3;

/**
 * Writes an endpoint to D1 and tells everybody. The inbox expects the change before it is made: if this
 * process dies between any two steps, it looks into D1 by itself a few seconds later. `write` may run
 * twice.
 */
export async function changing(
  env: CloudflareEnv,
  endpointId: string,
  write: () => Promise<EndpointWrite>,
): Promise<EndpointWrite> {
  await callWithRetry(() => inboxStub(env, endpointId).expectChange(), { idempotent: true });
  const written = await callWithRetry(write, { idempotent: true });
  if (written.kind === "saved") await announce(env, written.config);
  return written;
}

/**
 * Tells the endpoint's inbox and this isolate what D1 holds now. It does not fail: the change is made,
 * and an inbox that expects one and hears nothing looks by itself.
 */
export async function announce(env: CloudflareEnv, config: EndpointConfig): Promise<void> {
  const { endpointId } = config;
  try {
    await callWithRetry(() => inboxStub(env, endpointId).configure(config), { idempotent: true });
  } catch (error) {
    logError("inbox not told", { endpointId }, error);
  }
  await rememberConfig(env, config);
}

/** Changes an endpoint of the account to what `draft` makes of it; once more if others were faster. */
export async function changeExisting(
  http: Http,
  accountId: string,
  endpointId: string,
  draft: (before: EndpointConfig, now: number) => Promise<EndpointDraft>,
): Promise<EndpointDraft> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const before = await existing(http, accountId, endpointId);
    const now = Math.max(Date.now(), before.updatedAt + 1);
    const { config: drafted, made } = await draft(before, now);
    const config = { ...drafted, updatedAt: now };
    const written = await changing(http.env, endpointId, () => updateEndpoint(http.env.DB, config));
    if (written.kind === "saved") return { config: written.config, made };
    if (written.kind === "path_taken") throw pathTaken(config);
  }
  throw new HttpProblem("conflict", "The endpoint is being changed by others. Try again.");
}

/** The 409 of a path that another endpoint has, whosever it is. */
export function pathTaken({ path }: EndpointConfig): HttpProblem {
  return new HttpProblem("conflict", `The path ${path} is taken.`, {
    errors: [{ path: "path", rule: "unique", message: "is taken" }],
  });
}
