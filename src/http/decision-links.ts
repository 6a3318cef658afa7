import {
  type DecisionLink,
  isNonceOf,
  nonceOf,
  readLink,
  recipientsOf,
} from "../accounts/decision-links.ts";
import {
  type Answerer,
  type DecideBody,
  type DecisionRecipient,
  type DecisionRecord,
  shownDecision,
} from "../contract/decisions.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { callOnce, callWithRetry } from "./call-with-retry.ts";
import { answered } from "./decisions.ts";

/** A link as it stands: `unsigned` if it was changed or is not ours, `gone` with its execution. */
type OpenedLink =
  | { kind: "unsigned" }
  | { kind: "gone" }
  | { kind: "foreign" }
  | ({ kind: "known" } & KnownLink);

export interface KnownLink {
  link: DecisionLink;
  recipient: DecisionRecipient;
  decision: DecisionRecord;
}

/** Reads a link. Nothing is decided by it. */
export async function openLink(env: CloudflareEnv, token: string): Promise<OpenedLink> {
  const link = await readLink(token, settingsOf(env).ID_KEY);
  if (link === null) return { kind: "unsigned" };
  const account = () => accountStub(env, link.accountId);
  const known = await callWithRetry(() => account().knownDecision(link.decisionId));
  if (known === null) return { kind: "gone" };
  const { notify, escalateTo } = recipientsOf(known.rules);
  const recipient = [...notify, ...escalateTo].find(({ key }) => key === link.recipient);
  if (recipient === undefined) return { kind: "foreign" };
  return { kind: "known", link, recipient, decision: shownDecision(known.decision) };
}

/** Answers a decision in the name of a link's recipient. Throws the problem of an answer that does not count. */
export async function answerByLink(
  env: CloudflareEnv,
  { link, recipient }: KnownLink,
  { body, requestId }: { body: DecideBody; requestId: string },
): Promise<DecisionRecord> {
  const { accountId, decisionId: id } = link;
  const { email, destinationId = "" } = recipient;
  const name = email ?? (await destinationName(env, accountId, destinationId));
  const by = { kind: "link" as const, id: email ?? destinationId, name };
  const answerer: Answerer = { by, via: "link", requestId };
  return answered(env, { accountId, pending: null }, { id, body, answerer });
}

async function destinationName(env: CloudflareEnv, accountId: string, destinationId: string) {
  const all = await callWithRetry(() => accountStub(env, accountId).listDestinations());
  return all.find((each) => each.destinationId === destinationId)?.name ?? destinationId;
}

/** Sends the recipient of a link a code; false if there were too many. */
export async function sendCode(
  env: CloudflareEnv,
  { link, recipient }: KnownLink,
  origin: string,
): Promise<boolean> {
  const { accountId, decisionId } = link;
  return callOnce(() =>
    accountStub(env, accountId).sendDecisionCode(
      decisionId,
      link.recipient,
      recipient.email ?? "",
      origin,
    ),
  );
}

/** Whether this is the code that the recipient was sent. */
export async function isCode(
  env: CloudflareEnv,
  { link: { accountId, decisionId, recipient } }: KnownLink,
  code: string,
): Promise<boolean> {
  return callOnce(() => accountStub(env, accountId).isDecisionCode(decisionId, recipient, code));
}

/** Returns the nonce of a link's form, without which it decides nothing. */
export function formNonce(env: CloudflareEnv, token: string): Promise<string> {
  return nonceOf(token, Date.now(), settingsOf(env).ID_KEY);
}

export function isFormNonce(env: CloudflareEnv, token: string, nonce: string): Promise<boolean> {
  return isNonceOf(token, nonce, Date.now(), settingsOf(env).ID_KEY);
}
