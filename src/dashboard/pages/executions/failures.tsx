import type { ExecutionRow } from "../../../contract/execution.ts";
import { Empty, LinkButton, Time } from "../../components/elements.tsx";
import { IfMay, Layout, show } from "../../components/layout.tsx";
import { routeOf } from "../../components/list-page.tsx";
import { type Column, RowLink, sumColumn, TablePart } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatNumber, headline } from "../../format.ts";
import { newest, type WorkflowNames, workflowNamesFor } from "../../lookups.ts";
import { EXECUTIONS, executionPath, FAILURES, RETRIES } from "../../paths.ts";
import { DETAIL_LABELS, plainError } from "./labels.ts";

/** The most executions whose ids an address has room for. */
const MOST_IN_ADDRESS = 150;

/** The most characters of a reason that are shown. */
const LONGEST_REASON = 140;

/** Serves the newest failures by their reasons, each with what mends it. */
export function serveFailures(app: Dashboard): void {
  app.get(routeOf(FAILURES), async (http) => {
    const api = http.get("api");
    const rows = await newest(api.executions.all({ status: ["failed"] }));
    const names = await workflowNamesFor(api, rows);
    return show(http, <FailuresPage groups={groupFailures(rows)} names={names} />);
  });
}

function FailuresPage({ groups, names }: { groups: FailureGroup[]; names: WorkflowNames }) {
  const count = groups.reduce((sum, { executions }) => sum + executions.length, 0);
  return (
    <Layout title="Failures by reason" section="executions">
      {count === 0 ? (
        <Empty title="No failed executions">
          <p>Executions that failed for the same reason appear here as one line.</p>
          <LinkButton href={EXECUTIONS}>View executions</LinkButton>
        </Empty>
      ) : (
        <TablePart
          title={`The newest ${formatNumber(count)} failed executions`}
          columns={columnsWith(names)}
          rows={groups}
          nothing=""
        />
      )}
    </Layout>
  );
}

const columnsWith = (names: WorkflowNames): Column<FailureGroup>[] => [
  {
    name: "Reason",
    is: "wrap",
    cell: ({ executions: [latest] }) => {
      if (latest === undefined) return null;
      const { executionId, workflowId, statusDetail, summary } = latest;
      const [reason = ""] = plainError(summary ?? "").split("\n");
      return (
        <>
          <RowLink href={executionPath(executionId)}>
            {headline(reason, LONGEST_REASON) || DETAIL_LABELS[statusDetail]}
          </RowLink>
          <div class="muted">
            {`${names.get(workflowId ?? "") ?? "No workflow"}: ${DETAIL_LABELS[statusDetail]}`}
          </div>
        </>
      );
    },
  },
  sumColumn("Count", ({ executions }) => executions.length),
  { name: "First", cell: ({ executions }) => <Time at={executions.at(-1)?.createdAt ?? null} /> },
  { name: "Last", cell: ({ executions }) => <Time at={executions[0]?.createdAt ?? null} /> },
  {
    name: "Action",
    cell: ({ executions }) => (
      <IfMay scope="executions:write">
        <RetryLink
          ids={executions.slice(0, MOST_IN_ADDRESS).map(({ executionId }) => executionId)}
        />
      </IfMay>
    ),
  },
];

function RetryLink({ ids }: { ids: string[] }) {
  const query = new URLSearchParams(ids.map((id) => ["id", id]));
  return (
    <LinkButton href={`${RETRIES}/new?${query}`}>{`Retry ${formatNumber(ids.length)}…`}</LinkButton>
  );
}

/** Failed executions of one workflow for one reason, the newest first. */
type FailureGroup = ReturnType<typeof groupFailures>[number];

/** Enough words to tell causes apart, few enough to leave out where each occurred. */
const TELLING_WORDS = 8;
/** What differs between two executions that failed for the same reason. */
const PARTICULARS =
  /https?:\/\/\S+|"[^"]*"|“[^”]*”|`[^`]*`|[\w.+-]+@[\w.-]+|\b(?=\w*\d)[\w.:,-]*\w/g;

/** Groups failed executions by workflow, status detail and reported words; the largest group first. */
export function groupFailures(rows: readonly ExecutionRow[]) {
  const told = rows.map((row) => ({ row, words: tellingWords(row.summary ?? "") }));
  const groups = Map.groupBy(told, ({ row: { workflowId, statusDetail }, words }) =>
    JSON.stringify([workflowId, statusDetail, words]),
  );
  return [...groups.values()]
    .map((group) => ({ words: group[0]?.words, executions: group.map(({ row }) => row) }))
    .sort((a, b) => b.executions.length - a.executions.length);
}

/** Returns the beginning of a report, in which numbers, ids, names and addresses are `…`. */
function tellingWords(summary: string): string {
  const words = plainError(summary).replace(PARTICULARS, "…").split(/\s+/).filter(Boolean);
  return words.slice(0, TELLING_WORDS).join(" ");
}
