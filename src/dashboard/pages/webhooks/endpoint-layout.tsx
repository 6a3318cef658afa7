import type { Child } from "hono/jsx";
import { Layout } from "../../components/layout.tsx";
import { endpointPath } from "../../paths.ts";

const TABS = [
  { id: "overview", label: "Overview", rest: "" },
  { id: "requests", label: "Requests", rest: "/requests" },
  { id: "try", label: "Try a sample", rest: "/try" },
  { id: "rules", label: "Validation and mapping", rest: "/rules" },
  { id: "shape", label: "Learned shape", rest: "/shape" },
  { id: "settings", label: "Settings", rest: "/settings" },
] as const;

export type EndpointTab = (typeof TABS)[number]["id"];

/** A page of an endpoint, under its name and the tabs of its pages. */
export function EndpointPage({
  endpoint: { endpointId, name },
  tab,
  actions,
  children,
}: {
  endpoint: { endpointId: string; name: string };
  tab: EndpointTab;
  actions?: Child;
  children: Child;
}) {
  return (
    <Layout title={name} section="webhooks" {...(actions !== undefined && { actions })}>
      <nav class="tabs" aria-label="Pages of this endpoint">
        {TABS.map(({ id, label, rest }) => (
          <a href={endpointPath(endpointId, rest)} {...(id === tab && { "aria-current": "page" })}>
            {label}
          </a>
        ))}
      </nav>
      {children}
    </Layout>
  );
}
