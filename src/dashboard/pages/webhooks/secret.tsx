import * as z from "zod";
import { type EndpointRecord, endpointSaved } from "../../../contract/webhooks/endpoint.ts";
import { Copyable, Submit } from "../../components/elements.tsx";
import type { Page } from "../../context.ts";
import { Input } from "../../forms/fields.tsx";
import { endpointPath } from "../../paths.ts";
import { redirectToShowOnce } from "../../session.ts";
import { type Sender, senderOf } from "./senders.ts";

/** After which changes an endpoint may have a secret to show, and what its page says. */
const CHANGES = {
  created: "The endpoint is ready.",
  rotated: "The new secret is valid now.",
  restored: "Earlier revision restored.",
  saved: "Settings saved.",
} as const;

/** What the page of an endpoint shows once after a change. */
export const shownOnce = z.object({
  change: z.enum(["created", "rotated", "restored", "saved"]),
  /** Whether the reader gave the secret of a new endpoint. */
  isGiven: z.boolean().default(false),
  secrets: endpointSaved.shape.secrets,
});
export type ShownOnce = z.output<typeof shownOnce>;

/**
 * Leads to the page of an endpoint, which shows generated secrets this once. A change without any leads to
 * `rest` below it, where that is given.
 */
export function showOnce(
  http: Page,
  { endpointId, secrets }: Pick<z.output<typeof endpointSaved>, "endpointId" | "secrets">,
  change: Omit<z.input<typeof shownOnce>, "secrets">,
  rest?: string,
) {
  if (secrets === undefined && rest !== undefined) {
    return http.redirect(endpointPath(endpointId, rest), 303);
  }
  const once = { ...change, secrets } satisfies z.input<typeof shownOnce>;
  return redirectToShowOnce(http, endpointPath(endpointId), once);
}

/** Returns what the sender of a new endpoint calls its secret, which the reader did not give; null for none. */
function missingSecret({ change, isGiven }: ShownOnce, endpoint: EndpointRecord) {
  const { secret } = senderOf(endpoint);
  const isMissing = change === "created" && !isGiven && endpoint.auth.hmac !== undefined;
  return isMissing && secret?.by === "them" ? secret : null;
}

/** Returns what the page of an endpoint says after a change. */
export function noticeOf(once: ShownOnce, endpoint: EndpointRecord): string {
  const missing = missingSecret(once, endpoint);
  if (missing === null) return CHANGES[once.change];
  return `The endpoint is created. Add its ${missing.name.toLowerCase()} to finish.`;
}

/** The secrets that no other page shows, and what a new endpoint needs to be finished. */
export function OnceShown({ once, endpoint }: { once: ShownOnce; endpoint: EndpointRecord }) {
  const sender = senderOf(endpoint);
  const missing = missingSecret(once, endpoint);
  const { change, isGiven, secrets = {} } = once;
  return (
    <>
      {!isGiven && (missing === null || missing.orOurs) && <NewSecrets secrets={secrets} />}
      {change === "created" && <SenderSteps sender={sender} where={isGiven ? null : "below"} />}
      {missing !== null && (
        <form method="post" action={endpointPath(endpoint.endpointId, "/secret")} class="card">
          <p>{`Requests from ${sender.name} are rejected until you add its ${missing.name.toLowerCase()}.`}</p>
          <input type="hidden" name="overlapSeconds" value="0" />
          <Input
            name="secret"
            label={missing.name}
            type="password"
            more={{ autocomplete: "new-password", required: true, maxlength: 512 }}
          />
          <Submit>Save secret</Submit>
        </form>
      )}
    </>
  );
}

function NewSecrets({ secrets: { hmac, token } }: { secrets: NonNullable<ShownOnce["secrets"]> }) {
  if (hmac === undefined && token === undefined) return null;
  return (
    <>
      {hmac !== undefined && <Copyable id="made-secret" label="Secret" text={hmac} />}
      {token !== undefined && <Copyable id="made-token" label="Token" text={token} />}
      <p class="muted">Copy this now. It is not shown again, but you can rotate it at any time.</p>
    </>
  );
}

/** The steps in the sender's own settings. */
export function SenderSteps({
  sender: { name, auth, steps, docs },
  where,
}: {
  sender: Sender;
  /** Where the sender's secret is entered; null where it is stored already. */
  where: "below" | "under Settings" | null;
}) {
  const left = steps.flatMap((step) => {
    if (typeof step === "string") return [step];
    if (where !== null) return [step.missing.replace("{where}", where)];
    return step.given === null ? [] : [step.given];
  });
  return (
    <section class="part" aria-labelledby="steps">
      <h2 id="steps">{auth.kind === "preset" ? `In ${name}` : "At the sender"}</h2>
      <ol class="steps">
        {left.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      {docs !== null && (
        <p>
          <a href={docs} rel="noreferrer">{`${name} documentation`}</a>
        </p>
      )}
    </section>
  );
}
