import * as z from "zod";
import type { ExecutionReport } from "../contract/account.ts";
import {
  type DecisionRecipient,
  type DecisionRules,
  NO_RULES,
  outcomeLine,
  type StoredDecision,
  shownDecision,
} from "../contract/decisions.ts";
import type { EventData, Notice } from "../contract/destinations.ts";
import { jsonObject } from "../contract/json.ts";
import type { Components } from "./components.ts";
import type { ReportedDecision } from "./decisions.ts";
import { readToken, signToken } from "./signed-links.ts";

/** What a link to a decision says: whose it is, and until when it can be used (epoch milliseconds). */
const link = z
  .tuple([z.string().max(100), z.string().max(100), z.string().regex(/^[ne]\d{1,2}$/), z.int()])
  .transform(([accountId, decisionId, recipient, expiresAt]) => {
    return { accountId, decisionId, recipient, expiresAt };
  });
export type DecisionLink = z.output<typeof link>;

const LINK = "decisions: link";

/** Returns the token of a recipient's link. */
export function signLink(
  { accountId, decisionId, recipient, expiresAt }: DecisionLink,
  keys: readonly string[],
): Promise<string> {
  return signToken(LINK, [accountId, decisionId, recipient, expiresAt], keys);
}

/** Reads a token; null if it was changed, or another service signed it. */
export function readLink(token: string, keys: readonly string[]): Promise<DecisionLink | null> {
  return readToken(LINK, token, link, keys);
}

/** Returns the recipients of a decision by the names that links have for them. */
export function recipientsOf({ notify, escalateTo }: DecisionRules) {
  const named = (list: readonly DecisionRecipient[], kind: "n" | "e") =>
    list.map((recipient, at) => ({ ...recipient, key: `${kind}${at}` }));
  return { notify: named(notify, "n"), escalateTo: named(escalateTo, "e") };
}

/** Tells people and destinations of reported decisions. Called within the transaction that stores them. */
export type Tell = (components: Components, reported: ReportedDecision) => void;

/**
 * Signs the links of the recipients of a report's open decisions, and returns what tells them; null for a
 * report without decisions. Each message has one id, so that a repeated report sends none twice.
 */
export async function decisionNotices(
  accountId: string,
  { decisions = [], rules, origin = "" }: ExecutionReport,
  keys: readonly string[],
): Promise<Tell | null> {
  if (decisions.length === 0) return null;
  const { notify, escalateTo } = recipientsOf(rules ?? NO_RULES);
  const paths = new Map<string, string>();
  for (const { decisionId, state, expiresAt } of decisions) {
    if (state !== "open") continue;
    for (const { key: recipient } of [...notify, ...escalateTo]) {
      const link = { accountId, decisionId, recipient, expiresAt: Date.parse(expiresAt) };
      paths.set(`${decisionId} ${recipient}`, `/decide/${await signLink(link, keys)}`);
    }
  }

  return ({ messages, destinations }, { before, after }) => {
    const send = (event: "requested" | "reminder", recipients: typeof notify) => {
      for (const { key, email, destinationId } of recipients) {
        const path = paths.get(`${after.decisionId} ${key}`) ?? "";
        const own = destinations.find(destinationId ?? "")?.origin ?? origin;
        const data = eventOf(after, event);
        const message = {
          ...data,
          type: `decision.${event}`,
          data: { ...data.data, decideUrl: `${own}${path}` },
          notice: noticeOf(after, event, path),
        };
        if (destinationId !== undefined) messages.sendTo({ destinationId }, message);
        else if (email !== undefined)
          messages.sendTo({ email }, { ...message, origin, key: `${data.key}_${key}` });
      }
    };
    if (after.state === "open") {
      if (before === null) {
        send("requested", notify);
        messages.emit("decision.requested", () => eventOf(after, "requested"));
      }
      const isReminded = after.remindedAt !== undefined && before?.remindedAt === undefined;
      if (isReminded) send("reminder", [...notify, ...escalateTo]);
      return;
    }
    if (after.state === "withdrawn") return;
    const type = after.state === "expired" ? "expired" : "decided";
    messages.emit(`decision.${type}`, () => eventOf(after, type));
  };
}

/** Returns an event of a decision as destinations get it. */
function eventOf(decision: StoredDecision, event: string): EventData {
  const { decisionId, executionId, kind, title, tool = null, requestedAt, expiresAt } = decision;
  const { state, answeredAt, remindedAt } = decision;
  const at = (event === "reminder" ? remindedAt : answeredAt) ?? requestedAt;
  const shown: unknown = JSON.parse(JSON.stringify(shownDecision(decision)));
  return {
    key: `${decisionId}_${event}`,
    at: Date.parse(at),
    page: pageOf(decisionId),
    data: { decisionId, executionId, kind, title, tool, state, expiresAt },
    full: jsonObject.parse(shown),
    notice: noticeOf(decision, event, null),
  };
}

export const pageOf = (decisionId: string): string => `/dashboard/decisions/${decisionId}`;

/** Returns what people read of a decision: the exact call, who asks, until when, and the link. */
function noticeOf(decision: StoredDecision, event: string, path: string | null): Notice {
  const { kind, title, tool, input, question = "", promptPreview, expiresAt } = decision;
  const isOpen = decision.state === "open";
  const prefix = event === "reminder" ? "Reminder: " : "";
  const asked = kind === "question" ? `Question: ${title}` : `Approval: ${title}`;
  return {
    title: `${prefix}${asked}`,
    facts: [
      ["Asked by the execution", promptPreview],
      ...(tool === undefined ? [] : [["Tool", tool] satisfies [string, string]]),
      isOpen ? ["Answer until", expiresAt] : ["Outcome", outcomeLine(decision)],
    ],
    text: kind === "question" ? question : JSON.stringify(input, null, 2),
    links: path === null ? [] : [{ label: "Review and decide", url: path }],
  };
}
