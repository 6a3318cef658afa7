import { type Actor, type By, OPERATORS } from "../contract/actor.ts";
import { type AuditEntry, type Audited, auditEntryOf } from "../contract/audit.ts";
import type { Answerer } from "../contract/decisions.ts";
import type { Http } from "./context.ts";
import { isDashboardCall, parentRequestId } from "./context.ts";

/** Returns who acts in a request, for the audit log. */
export function actorOf(http: Http, { by }: { by: By }): Actor {
  return { by, requestId: http.get("requestId") };
}

/** Returns who answers a decision in a request, and through which door. */
export function answererOf(http: Http, { by }: { by: By }): Answerer {
  const { raw } = http.req;
  const isOwn = parentRequestId(raw) !== undefined;
  const via = isDashboardCall(raw) ? "dashboard" : isOwn ? "mcp" : "api";
  return { by, via, requestId: http.get("requestId") };
}

/** Returns the actor of a request of the operators. */
export const operatorOf = (http: Http): Actor => actorOf(http, { by: OPERATORS });

/** Makes the audit entry of a change that D1 stores. A repeat of the write must have the same. */
export function auditedBy(actor: Actor, audited: Audited): AuditEntry {
  return auditEntryOf(actor, audited, { now: Date.now(), random: crypto.randomUUID().slice(-12) });
}
