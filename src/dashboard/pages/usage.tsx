import type { Credits } from "../../contract/account.ts";
import type { Quota, QuotaUse } from "../../contract/quotas.ts";
import type { UsageBreakdown } from "../../contract/usage.ts";
import { Facts, NoValue } from "../components/elements.tsx";
import { Layout } from "../components/layout.tsx";
import { show } from "../components/reader.tsx";
import { type Column, RowLink, TablePart } from "../components/table.tsx";
import type { Dashboard } from "../context.ts";
import { formatBytes, formatNumber, formatUsd, sumOf } from "../format.ts";
import { allWorkflows, ifAllowed, keyNamesOf } from "../lookups.ts";
import { EXECUTIONS, KEYS, MODELS, USAGE, workflowPath } from "../paths.ts";
import { type RangeId, readRange, usageQueryOf } from "./overview/load.ts";
import { RangeSwitch } from "./overview/overview-page.tsx";

/** Serves what the account may use, what it uses, and which workflows, models and keys used it. */
export function serveUsage(app: Dashboard): void {
  app.get("/usage", async (http) => {
    const api = http.get("api");
    const range = readRange(http.req.query("range"));
    const query = usageQueryOf(range, Date.now());
    const [credits, quotas, byWorkflow, byKey, byModel, workflows, keyNames] = await Promise.all([
      ifAllowed(api.credits()),
      ifAllowed(api.quotas()),
      ifAllowed(api.usageBreakdown({ ...query, by: "workflow" })),
      ifAllowed(api.usageBreakdown({ ...query, by: "key" })),
      ifAllowed(api.usageBreakdown({ ...query, by: "model" })),
      allWorkflows(api),
      keyNamesOf(api),
    ]);
    const workflowNames = new Map(workflows.map(({ workflowId, name }) => [workflowId, name]));
    return show(
      http,
      <UsagePage
        range={range}
        credits={credits}
        quotas={quotas}
        byWorkflow={byWorkflow?.items.map((item) => ({
          ...item,
          name: nameOf(item, workflowNames, "No workflow"),
          href: item.id === null ? EXECUTIONS : workflowPath(item.id),
        }))}
        byKey={byKey?.items.map((item) => ({
          ...item,
          name: nameOf(item, keyNames, "Webhooks and schedules"),
          href: item.id === null ? `${EXECUTIONS}?origin=webhook` : KEYS,
        }))}
        byModel={byModel?.items.map((item) => ({
          ...item,
          name: item.id ?? "Unknown",
          href: MODELS,
        }))}
      />,
    );
  });
}

function nameOf(
  { id }: { id: string | null },
  names: ReadonlyMap<string, string>,
  none: string,
): string {
  return id === null ? none : (names.get(id) ?? id);
}

type Item = UsageBreakdown["items"][number] & { name: string; href: string };

function UsagePage({
  range,
  credits,
  quotas,
  byWorkflow,
  byKey,
  byModel,
}: {
  range: RangeId;
  /** Null where the session's key may not read it, like the others. */
  credits: Credits | null;
  quotas: QuotaUse | null;
  byWorkflow: Item[] | undefined;
  byKey: Item[] | undefined;
  byModel: Item[] | undefined;
}) {
  return (
    <Layout title="Usage" section="usage" actions={<RangeSwitch range={range} path={USAGE} />}>
      {credits !== null && <Balance credits={credits} />}
      <Breakdown column="Workflow" items={byWorkflow} />
      <Breakdown column="Model" items={byModel} />
      <Breakdown column="Key" items={byKey} />
      {quotas !== null && <Quotas quotas={quotas} />}
    </Layout>
  );
}

function Balance({ credits }: { credits: Credits }) {
  return (
    <section class="card" aria-labelledby="balance">
      <h2 id="balance">Credits</h2>
      <Facts
        facts={[
          ["Available", <strong>{formatNumber(credits.availableCredits)}</strong>],
          [
            "Reserved",
            `${formatNumber(credits.reservedCredits)} for executions that have not ended`,
          ],
          ["Consumed", `${formatNumber(credits.consumedCredits)} by executions that have ended`],
        ]}
      />
      <p class="hint">
        A model step costs 1 credit for each started 10,000 tokens, a tool call 1 or 2.
      </p>
    </section>
  );
}

function Breakdown({ column, items }: { column: string; items: Item[] | undefined }) {
  return (
    <TablePart
      title={`By ${column.toLowerCase()}`}
      rows={items ?? "Your key may not read executions."}
      nothing="No executions in this range."
      columns={columnsOf(column)}
    />
  );
}

const columnsOf = (name: string): Column<Item>[] => [
  {
    name,
    is: "wrap",
    isBare: true,
    cell: (item) => <RowLink href={item.href}>{item.name}</RowLink>,
  },
  { name: "Executions", is: "num", cell: ({ executions }) => formatNumber(sumOf(executions)) },
  { name: "Failed", is: "num", cell: ({ executions }) => formatNumber(executions.failed) },
  { name: "Credits", is: "num", cell: ({ creditsConsumed }) => formatNumber(creditsConsumed) },
  { name: "Price", is: "num", cell: ({ costUsd }) => formatUsd(costUsd) },
  {
    name: "Credits per execution",
    is: "num",
    cell: (item) => {
      const count = sumOf(item.executions);
      return count === 0 ? <NoValue /> : (item.creditsConsumed / count).toFixed(1);
    },
  },
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
  { name: "Quota", is: "wrap", isBare: true, cell: ({ label }) => label },
  { name: "Used", is: "num", cell: ({ quota, format }) => format(quotas[quota].used) },
  { name: "Limit", is: "num", cell: ({ quota, format }) => format(quotas[quota].limit) },
  {
    name: "Share",
    isBare: true,
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
