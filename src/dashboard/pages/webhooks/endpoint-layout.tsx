import * as z from "zod";
import { type EndpointRecord, endpointSaved } from "../../../contract/webhooks/endpoint.ts";
import { Copyable, ManagedWarning } from "../../components/elements.tsx";
import { Layout, Tabs, useMay } from "../../components/layout.tsx";
import type { Page } from "../../context.ts";
import { endpointPath } from "../../paths.ts";
import { redirectToShowOnce } from "../../session.ts";

const TABS = [
  { id: "overview", label: "Overview", rest: "" },
  { id: "requests", label: "Requests", rest: "/requests" },
  { id: "cases", label: "Cases", rest: "/cases" },
  { id: "try", label: "Try a sample", rest: "/try" },
  { id: "rules", label: "Validation and mapping", rest: "/rules" },
  { id: "settings", label: "Settings", rest: "/settings" },
] as const;

/** Says what becomes of the requests of an endpoint that starts nothing. */
export const withoutWorkflowText = ({ withoutWorkflow }: EndpointRecord): string =>
  `No workflow (requests are ${withoutWorkflow === "log" ? "logged" : "held"})`;

/** A page of an endpoint, under its name and the tabs of its pages. */
export function EndpointPage({
  endpoint,
  tab,
  children,
  ...layout
}: Pick<Parameters<typeof Layout>[0], "actions" | "notice" | "live" | "livePart" | "children"> & {
  endpoint: Pick<EndpointRecord, "endpointId" | "name" | "externalId" | "managedBy">;
  tab: (typeof TABS)[number]["id"];
}) {
  const { endpointId, name } = endpoint;
  const canChange = useMay("webhooks:write");
  return (
    <Layout title={name} section="webhooks" {...layout}>
      <Tabs
        label="Pages of this endpoint"
        links={TABS.filter(({ id }) => canChange || id !== "settings").map(
          ({ id, label, rest }) => ({
            label,
            href: endpointPath(endpointId, rest),
            isCurrent: id === tab,
          }),
        )}
      />
      {(tab === "settings" || tab === "rules") && <ManagedWarning {...endpoint} />}
      {children}
    </Layout>
  );
}

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
type ShownOnce = z.output<typeof shownOnce>;

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
