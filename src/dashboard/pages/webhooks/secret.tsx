import * as z from "zod";
import { endpointSaved } from "../../../contract/webhooks/endpoint.ts";
import { Copyable } from "../../components/elements.tsx";
import type { Page } from "../../context.ts";
import { endpointPath } from "../../paths.ts";
import { redirectToShowOnce } from "../../session.ts";
import type { Sender } from "./senders.ts";

/** What the page of an endpoint says after a change, by the `done` of its address. */
export const NOTICES: Readonly<Record<string, string>> = {
  created: "The endpoint is ready.",
  unfinished: "The endpoint is created. Add the sender’s secret under Settings to finish.",
  rotated: "The new secret is valid now.",
  restored: "Earlier revision restored.",
  saved: "Settings saved.",
  workflow: "Workflow attached.",
  released:
    "Held requests released. One that cannot be mapped stays held, and its entry in the log says why.",
  detached: "Workflow detached. New requests are held.",
};

/** What the page of an endpoint shows once after a change. */
export const shownOnce = z.object({
  change: z.enum(["created", "rotated", "restored", "saved"]),
  secrets: endpointSaved.shape.secrets.unwrap(),
});
export type ShownOnce = z.output<typeof shownOnce>;

/** Leads to the page of an endpoint, which shows generated secrets this once; without any, to `rest` below it. */
export function showOnce(
  http: Page,
  { endpointId, secrets }: Pick<z.output<typeof endpointSaved>, "endpointId" | "secrets">,
  change: ShownOnce["change"],
  rest = `?done=${change}`,
) {
  if (secrets === undefined) return http.redirect(endpointPath(endpointId, rest), 303);
  const once = { change, secrets } satisfies ShownOnce;
  return redirectToShowOnce(http, endpointPath(endpointId), once);
}

/** The secrets that no other page shows. */
export function NewSecrets({ secrets: { hmac, token } }: Pick<ShownOnce, "secrets">) {
  return (
    <>
      {hmac !== undefined && <Copyable id="made-secret" label="Secret" text={hmac} />}
      {token !== undefined && <Copyable id="made-token" label="Token" text={token} />}
      <p class="muted">Copy this now. It is not shown again, but you can rotate it at any time.</p>
    </>
  );
}

/** The steps in the sender's own settings. */
export function SenderSteps({ sender: { name, auth, steps, docs } }: { sender: Sender }) {
  return (
    <section class="part" aria-labelledby="steps">
      <h2 id="steps">{auth.kind === "preset" ? `In ${name}` : "At the sender"}</h2>
      <ol class="steps">
        {steps.map((step) => (
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
