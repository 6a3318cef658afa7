import type { Credits } from "../../contract/account.ts";
import type { Quota, QuotaUse } from "../../contract/quotas.ts";
import type { UsageBreakdown } from "../../contract/usage.ts";
import { Facts } from "../components/elements.tsx";
import { Layout, show } from "../components/layout.tsx";
import { type Column, RowLink, TablePart } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import { formatBytes, formatNumber, formatUsd, sumOf } from "../format.ts";
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
    const [credits, quotas, byWorkflow, byModel, workflows] = await Promise.all([
      ifAllowed(api.credits()),
      ifAllowed(api.quotas()),
      ifAllowed(api.usageBreakdown({ ...query, by: "workflow" })),
      ifAllowed(api.usageBreakdown({ ...query, by: "model" })),
      allWorkflows(api),
    ]);
    const names = namesOf(workflows);
    return show(
      http,
      <Layout
        title="Usage"
        section="usage"
        actions={<RangeSwitch range={range} hrefOf={pathWithRange(USAGE)} />}
      >
        {credits !== null && <Balance credits={credits} />}
        <Breakdown
          column="Workflow"
          of={byWorkflow}
          linkOf={(id) =>
            id === null
              ? { name: "No workflow", href: EXECUTIONS }
              : { name: names.get(id) ?? id, href: workflowPath(id) }
          }
        />
        <Breakdown
          column="Model"
          of={byModel}
          linkOf={(id) => ({ name: id ?? "Unknown", href: MODELS })}
        />
        {quotas !== null && <Quotas quotas={quotas} />}
      </Layout>,
    );
  });
}

type Item = UsageBreakdown["items"][number];

function Balance({ credits }: { credits: Credits }) {
  return (
    <section class="card" aria-labelledby="balance">
      <h2 id="balance">Credits</h2>
      <Facts
        facts={[
          ["Available", <strong>{formatNumber(credits.availableCredits)}</strong>],
          ["Held", `${formatNumber(credits.reservedCredits)} for executions that have not ended`],
          ["Consumed", `${formatNumber(credits.consumedCredits)} by executions that have ended`],
        ]}
      />
      <p class="hint">
        A model step costs 1 credit for each started 10,000 tokens, a tool call 1 or 2.
      </p>
    </section>
  );
}

interface BreakdownProps {
  column: string;
  /** Null where the session's key may not read it. */
  of: UsageBreakdown | null;
  linkOf(id: string | null): { name: string; href: string };
}

function Breakdown({ column, of, linkOf }: BreakdownProps) {
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
      ]}
    />
  );
}

const FIGURES: Column<Item>[] = [
  { name: "Executions", is: "num", cell: ({ executions }) => formatNumber(sumOf(executions)) },
  { name: "Failed", is: "num", cell: ({ executions }) => formatNumber(executions.failed) },
  { name: "Credits", is: "num", cell: ({ creditsConsumed }) => formatNumber(creditsConsumed) },
  { name: "Price", is: "num", cell: ({ costUsd }) => formatUsd(costUsd) },
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

function Quotas({ quotas }: { quotas: QuotaUse }) {
  return (
    <TablePart title="Quotas" rows={QUOTAS} nothing="" columns={quotaColumns(quotas)}>
      <p class="hint">Operators set the quotas.</p>
    </TablePart>
  );
}
