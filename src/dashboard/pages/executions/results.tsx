import type { Child } from "hono/jsx";
import type { Effect, ExecutionResult } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import { type Output, valueIn } from "../../../contract/outputs.ts";
import type { ScoreRecord } from "../../../contract/rehearsals.ts";
import { Address, Badge, Facts, NoValue, Time } from "../../components/elements.tsx";
import { AllSettings } from "../../components/json-view.tsx";
import { IfMay } from "../../components/layout.tsx";
import { type Column, Table } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount, formatNumber, headline } from "../../format.ts";
import { postedForm } from "../../forms/posted.ts";
import { comparePath, executionPath, workflowPath } from "../../paths.ts";
import { Changes } from "../decisions/card.tsx";
import { EFFECT_LABELS, incompleteBy } from "./labels.ts";
import { isOpen, type LoadedExecution } from "./load.ts";
import { hasEvent, type TimelineRow, timelineOf } from "./timeline.ts";
import { FileOutput, LongJson, LongText, Rows, tableOf, ValueView } from "./values.tsx";

/** What came out: the summary, the data, the outputs, the effects; each value once. */
export function ResultTab({ view }: { view: LoadedExecution }) {
  const { result, state } = view;
  const path = executionPath(result.executionId);
  const isOver = !isOpen(state);
  const { rows } = timelineOf(view.log.events, state.createdAt);
  const hasSummary = isOver && state.error === undefined;
  return (
    <>
      <ResultParts result={result} hasSummary={hasSummary} path={path} rows={rows} />
      {!isOver && result.outputs.length === 0 && (
        <p class="muted">No outputs yet. They appear here while the agent works.</p>
      )}
      <Effects effects={result.effects} isOver={isOver} />
      {isOver && <Scores executionId={result.executionId} scores={view.scores} />}
      <Details view={view} />
    </>
  );
}

/** The page of a result, and its timeline: empty for readers of a shared result. */
interface ResultPlace {
  path: string;
  rows: readonly TimelineRow[];
}

/** The summary, the data and the outputs of a result; each value once. */
export function ResultParts({
  result,
  hasSummary,
  ...place
}: ResultPlace & { result: ExecutionResult; hasSummary: boolean }) {
  const { data, summary, truncated = false } = result.presentedResult;
  const outputs = result.outputs.filter((output) => !isSaid(output, result));
  const isOutput = outputs.some((output) => isSame(valueIn(output), data));
  const shownData = data === undefined || isOutput || data === summary ? undefined : data;
  const hasTable =
    outputs.some(({ type }) => type === "table") || (!!shownData && tableOf(shownData) !== null);
  return (
    <>
      {hasSummary && <Summary text={summary} hasTable={hasTable} />}
      {truncated && <Incomplete sources={result.outputs.flatMap(({ sources }) => sources)} />}
      {shownData !== undefined && (
        <article class="card output" aria-labelledby="data-label">
          <h2 id="data-label">Data</h2>
          <LongJson value={shownData} label="Data as JSON" whole={`${place.path}/result`} />
        </article>
      )}
      {outputs.map((output) => (
        <OutputCard output={output} {...place} />
      ))}
    </>
  );
}

/** Says why something may be incomplete. */
function Incomplete({ sources }: Pick<Output, "sources">) {
  const cuts = new Set(sources.flatMap(({ cut }) => cut ?? []));
  return <p class="hint">{incompleteBy([...cuts])}</p>;
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/** Tells whether the summary or the data says all that an output says. */
function isSaid(output: Output, { presentedResult }: ExecutionResult): boolean {
  const { type, label } = output;
  if (type === "text") return output.value === presentedResult.summary;
  return label === "Answer" && type !== "table" && isSame(valueIn(output), presentedResult.data);
}

/** The lines of Markdown tables, and of rows as `builtin/demo` lists them. */
const ROWS = /^[ \t]*(?:\|.*\||- .* · .*)[ \t]*\n?/gm;

/** The summary without the rows of which the page shows a table. */
function Summary({ text, hasTable }: { text: string; hasTable: boolean }) {
  const said = hasTable ? text.replace(ROWS, "").trim() : text;
  return <div class="summary">{said !== "" && <LongText text={said} isProse />}</div>;
}

/** The external effects of the execution. */
function Effects({ effects, isOver }: { effects: readonly Effect[]; isOver: boolean }) {
  if (effects.length === 0) return null;
  return (
    <section aria-labelledby="effects-title" class="part">
      <h2 id="effects-title">External effects</h2>
      <ul class="lines">
        {effects.map(({ state, tool, target, at, truncated = false, ...effect }) => (
          <li>
            <Badge state={state} /> <code>{tool}</code> <span>{target}</span> <Time at={at} />
            <Approved effect={effect} />
            {truncated && <p class="hint">Based on a source that was cut.</p>}
            {state !== "confirmed" && (
              <p class="muted">
                {/* An effect without a result counts as uncertain; mostly it is in progress. */}
                {state === "uncertain" && !isOver
                  ? "In progress, or interrupted."
                  : EFFECT_LABELS[state]}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who approved the call of an effect, and what that person changed. */
function Approved({
  effect: { approvedBy, input, askedInput, effectId },
}: {
  effect: Pick<Effect, "approvedBy" | "input" | "askedInput" | "effectId">;
}) {
  if (input === undefined) return null;
  const name = approvedBy?.name ?? "a person";
  return (
    <details>
      <summary>{`${askedInput === undefined ? "Approved" : "Changed and approved"} by ${name}`}</summary>
      <ValueView value={input} label={`Input of effect ${effectId}`} />
      {askedInput !== undefined && <Changes before={askedInput} after={input} />}
    </details>
  );
}

interface OutputProps extends ResultPlace {
  output: Output;
}

function OutputCard({ output, ...place }: OutputProps) {
  const { outputId, label, sources, truncated = false } = output;
  return (
    <article class="card output" id={outputId} aria-labelledby={`${outputId}-label`}>
      <h2 id={`${outputId}-label`}>{label}</h2>
      <OutputValue output={output} {...place} />
      {truncated && <Incomplete sources={sources} />}
      <IfMay scope="executions:read">
        <Sources sources={sources} {...place} />
      </IfMay>
    </article>
  );
}

/** The most sources that are listed. */
const MAX_SOURCES = 8;

/** What a value came from, with links into the timeline: `From acme.example/prices, step 2`. */
function Sources({ path, rows, sources }: ResultPlace & Pick<Output, "sources">) {
  if (sources.length === 0) return null;
  const more = sources.length - MAX_SOURCES;
  return (
    <p class="sources muted">
      {"From "}
      {sources.slice(0, MAX_SOURCES).map(
        ({ eventSeq, url }, at): Child => (
          <>
            {at > 0 && "; "}
            <a href={`${path}?tab=timeline&event=${eventSeq}#event-${eventSeq}`}>
              {sourceText(
                url,
                rows.find((row) => hasEvent(row, eventSeq)),
              )}
            </a>
          </>
        ),
      )}
      {more > 0 && ` and ${more} more`}
    </p>
  );
}

/** Names a source by its address, or by the call that made the value, and its step as far as it is known. */
function sourceText(url: string | undefined, row: TimelineRow | undefined): string {
  const call = row?.kind === "call" ? row : { tool: "an earlier step", step: null };
  const made = call.tool === "emit_output" ? "the model" : call.tool;
  const name = url === undefined ? made : headline(url.replace(/^https?:\/\/|\/$/g, ""), 80);
  return call.step === null ? name : `${name}, step ${call.step}`;
}

function OutputValue({ output, path }: OutputProps) {
  const { outputId, label } = output;
  const whole = `${path}/result`;
  const name = `${label} (${outputId})`;
  switch (output.type) {
    case "file":
      return <FileOutput path={path} output={output} />;
    case "link":
      return (
        <p>
          <Address url={output.url} />
        </p>
      );
    case "table":
      return (
        <Rows table={output.value} label={name} whole={`${path}/outputs/${outputId}?as=csv`} />
      );
    case "text":
      return <LongText text={output.value} whole={whole} />;
    case "json":
      if (output.nodeType === "EMAIL") return <ValueView value={output.value} label={name} />;
      return <LongJson value={output.value} label={name} whole={whole} />;
  }
}

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
function Scores({ executionId, scores }: { executionId: string; scores: ScoreRecord[] }) {
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
      name: "helpful",
      value: posted.line("helpful") === "yes",
      ...(comment !== "" && { comment }),
    });
    return http.redirect(executionPath(executionId, "?tab=result#scores"), 303);
  });
}

/** Where the execution comes from, what it used, and its settings. */
function Details({ view }: { view: LoadedExecution }) {
  const { task, state, result } = view;
  const { modelSteps, toolCalls, inputTokens, cachedTokens, outputTokens } = result.usage;
  return (
    <aside class="card" aria-label="Details">
      <h2>Details</h2>
      <Facts
        facts={[
          task.forkOf !== null && [
            "Continues",
            <>
              <a href={executionPath(task.forkOf.executionId)}>{task.forkOf.executionId}</a>
              {` after step ${task.forkOf.afterStep}`}
              <br />
              <a href={comparePath(task.forkOf.executionId, task.executionId)}>
                Compare step by step
              </a>
            </>,
          ],
          ...task.forks.map((id): [string, Child] => [
            "Continued as",
            <a href={executionPath(id)}>{id}</a>,
          ]),
          [
            "Credits",
            `${formatNumber(state.creditsConsumed)} of at most ${formatNumber(task.maxCredits)}`,
          ],
          [
            "Calls",
            `${formatCount(modelSteps, "model step")}, ${formatCount(toolCalls, "tool call")}`,
          ],
          inputTokens + outputTokens > 0 && [
            "Tokens",
            `${formatNumber(inputTokens)} in (${formatNumber(cachedTokens)} cached), ${formatNumber(outputTokens)} out`,
          ],
          task.workflowId !== null &&
            task.revision !== null && [
              "Workflow revision",
              <a href={workflowPath(task.workflowId, `/revisions#revision-${task.revision}`)}>
                {task.revision}
              </a>,
            ],
        ]}
      />
      <p>
        <a href={executionPath(task.executionId, "/result")} download>
          Download result as JSON
        </a>
      </p>
      <AllSettings of={task} />
    </aside>
  );
}
