import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { ManagedWarning } from "../../components/elements.tsx";
import { Layout, Tabs, useMay } from "../../components/layout.tsx";
import { endpointPath } from "../../paths.ts";

const TABS = [
  { id: "overview", label: "Overview", rest: "" },
  { id: "requests", label: "Requests", rest: "/requests" },
  { id: "cases", label: "Cases", rest: "/cases" },
  { id: "try", label: "Try a sample", rest: "/try" },
  { id: "rules", label: "Validation and mapping", rest: "/rules" },
] as const;
const SETTINGS = { id: "settings", label: "Settings", rest: "/settings" } as const;

export type EndpointTab = (typeof TABS | [typeof SETTINGS])[number]["id"];

/** A page of an endpoint, under its name and the tabs of its pages. */
export function EndpointPage({
  endpoint,
  tab,
  children,
  ...layout
}: Pick<Parameters<typeof Layout>[0], "actions" | "notice" | "live" | "livePart" | "children"> & {
  endpoint: Pick<EndpointRecord, "endpointId" | "name" | "externalId" | "managedBy">;
  tab: EndpointTab;
}) {
  const { endpointId, name } = endpoint;
  const canChange = useMay("webhooks:write");
  return (
    <Layout title={name} section="webhooks" isBelow {...layout}>
      <Tabs
        label="Pages of this endpoint"
        links={[...TABS, ...(canChange ? [SETTINGS] : [])].map(({ id, label, rest }) => ({
          label,
          href: endpointPath(endpointId, rest),
          isCurrent: id === tab,
        }))}
      />
      {(tab === "settings" || tab === "rules") && <ManagedWarning {...endpoint} />}
      {children}
    </Layout>
  );
}
