import type { ScoreRecord } from "../../../contract/scores.ts";
import { NoValue, Time } from "../../components/elements.tsx";
import { IfMay } from "../../components/reader.tsx";
import { type Column, Table } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { postedForm } from "../../forms/posted.ts";
import { executionPath } from "../../paths.ts";

/** What the buttons of the page judge. */
const HELPFUL = "helpful";

const COLUMNS: Column<ScoreRecord>[] = [
  { name: "Score", cell: ({ name }) => name },
  { name: "Value", cell: ({ value }) => valueText(value) },
  { name: "Comment", is: "wrap", cell: ({ comment }) => comment ?? <NoValue /> },
  { name: "By", cell: ({ by }) => by.name },
  { name: "At", cell: ({ at }) => <Time at={at} /> },
];

const valueText = (value: number | boolean): string =>
  typeof value === "number" ? String(value) : value ? "Yes" : "No";

/** The judgements of a result, and the form that gives one. */
export function Scores({ executionId, scores }: { executionId: string; scores: ScoreRecord[] }) {
  return (
    <section class="part" id="scores" aria-labelledby="scores-title">
      <h2 id="scores-title">Scores</h2>
      {scores.length > 0 && <Table label="Scores" columns={COLUMNS} rows={scores} />}
      <IfMay scope="executions:write">
        <form method="post" action={executionPath(executionId, "/score")} class="actions">
          <input
            name="comment"
            maxlength={2_000}
            autocomplete="off"
            aria-label="Comment on the result"
            placeholder="Comment (optional)"
          />
          <button type="submit" name="helpful" value="yes">
            Helpful
          </button>
          <button type="submit" name="helpful" value="no">
            Not helpful
          </button>
        </form>
      </IfMay>
    </section>
  );
}

/** Serves the form that judges a result. */
export function serveScores(app: Dashboard): void {
  app.post("/executions/:executionId/score", async (http) => {
    const executionId = http.req.param("executionId");
    const posted = await postedForm(http);
    const comment = posted.line("comment");
    await http.get("api").executions.score(executionId, {
      name: HELPFUL,
      value: posted.line("helpful") === "yes",
      ...(comment !== "" && { comment }),
    });
    return http.redirect(executionPath(executionId, "?tab=result#scores"), 303);
  });
}
