import type { Child } from "hono/jsx";
import type { Quota, QuotaUse } from "../../contract/operators.ts";
import type { UsageBreakdown } from "../../contract/usage.ts";
import { Layout, show } from "../components/layout.tsx";
import { type Column, costColumn, RowLink, sumColumn, TablePart } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import { formatBytes, formatNumber, sumOf } from "../format.ts";
import { allWorkflows, ifAllowed, namesOf } from "../lookups.ts";
import { EXECUTIONS, MODELS, USAGE, workflowPath } from "../paths.ts";
import { readRange, usageQueryOf } from "./overview/load.ts";
import { pathWithRange, RangeSwitch } from "./overview/overview-page.tsx";

/** Serves what the account may use, what it uses, and which workflows and models used it. */
export function serveUsage(app: Dashboard): void {
  app.get("/usage", async (http) => {
    const api = http.get("api");
    const range = readRange(http.req.query("range"));
    const query = usageQueryOf(range, Date.now());
    const [quotas, byWorkflow, byModel, workflows, usable] = await Promise.all([
      ifAllowed(api.quotas()),
      ifAllowed(api.usageBreakdown({ ...query, by: "workflow" })),
      ifAllowed(api.usageBreakdown({ ...query, by: "model" })),
      allWorkflows(api),
      ifAllowed(api.models.list()),
    ]);
    const priced = new Set(usable?.models.flatMap(({ model, price }) => (price ? model : [])));
    const names = namesOf(workflows);
    return show(
      http,
      <Layout
        title="Usage"
        section="usage"
        actions={<RangeSwitch range={range} hrefOf={pathWithRange(USAGE)} />}
      >
        {breakdown("Workflow", byWorkflow, (id) =>
          id === null
            ? { name: "No workflow", href: EXECUTIONS }
            : { name: names.get(id) ?? id, href: workflowPath(id) },
        )}
        {breakdown(
          "Model",
          byModel,
          (id) => ({ name: id ?? "Unknown", href: MODELS, isPriced: priced.has(id ?? "") }),
          <p class="hint">
            A dash: the price is not known. <a href="/docs/models">Set the prices</a> of your own
            providers’ models.
          </p>,
        )}
        {quotas !== null && (
          <TablePart title="Quotas" rows={QUOTAS} nothing="" columns={quotaColumns(quotas)}>
            <p class="hint">Operators set the quotas.</p>
          </TablePart>
        )}
      </Layout>,
    );
  });
}

/** What one column of things used; `of` is null where the session's key may not read it. */
function breakdown(
  column: string,
  of: UsageBreakdown | null,
  linkOf: (id: string | null) => { name: string; href: string; isPriced?: boolean },
  children?: Child,
) {
  return (
    <TablePart
      title={`By ${column.toLowerCase()}`}
      rows={of?.items ?? "Your key may not read executions."}
      nothing="No executions in this range."
      columns={[
        {
          name: column,
          is: "wrap",
          cell: ({ id }) => {
            const { name, href } = linkOf(id);
            return <RowLink href={href}>{name}</RowLink>;
          },
        },
        ...FIGURES,
        costColumn<UsageBreakdown["items"][number]>(
          "Price",
          ({ id }) => linkOf(id).isPriced === true,
        ),
      ]}
    >
      {children}
    </TablePart>
  );
}

const FIGURES: Column<UsageBreakdown["items"][number]>[] = [
  sumColumn("Executions", ({ executions }) => sumOf(executions)),
  sumColumn("Failed", ({ executions }) => executions.failed),
  sumColumn("Credits", ({ creditsConsumed }) => creditsConsumed),
];

const plain = { format: formatNumber };
const QUOTAS: readonly { quota: Quota; label: string; format: (value: number) => string }[] = [
  { ...plain, quota: "endpoints", label: "Endpoints" },
  { ...plain, quota: "workflows", label: "Workflows" },
  { quota: "storedBytes", label: "Storage", format: formatBytes },
  { ...plain, quota: "activeExecutions", label: "Active executions" },
  { ...plain, quota: "webhookRequestsPerMinute", label: "Webhook requests per minute" },
];

const quotaColumns = (quotas: QuotaUse): Column<(typeof QUOTAS)[number]>[] => [
  { name: "Quota", is: "wrap", cell: ({ label }) => label },
  { name: "Used", is: "num", cell: ({ quota, format }) => format(quotas[quota].used) },
  { name: "Limit", is: "num", cell: ({ quota, format }) => format(quotas[quota].limit) },
  {
    name: "Share",
    cell: ({ quota, label }) => {
      const { used, limit } = quotas[quota];
      const scale = { min: 0, max: Math.max(limit, 1), high: limit * 0.8 };
      return <meter {...scale} value={used} aria-label={label} />;
    },
  },
];
