import type { ExecutionStep } from "../../../contract/task.ts";
import { Copyable, Facts } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Layout } from "../../components/layout.tsx";
import { TablePart } from "../../components/table.tsx";
import { formatDuration, formatNumber, formatUsd } from "../../format.ts";
import { executionPath } from "../../paths.ts";

/** A message of more characters starts closed. */
const LONG_MESSAGE = 2_000;

/** The page of one step: what the model was sent, what it replied, and how to send that again. */
export function StepPage({ executionId, step }: { executionId: string; step: ExecutionStep }) {
  const { usage, tries, reply, messages, curl, firstTokenMs, tokensPerSecond } = step;
  const { costUsd } = usage;
  return (
    <Layout
      title={`Step ${step.step}`}
      section="executions"
      crumb={{ label: "Execution", href: executionPath(executionId, "?tab=timeline") }}
    >
      <Facts
        facts={[
          ["Model", <code>{step.model}</code>],
          ["Duration", formatDuration(step.durationMs)],
          firstTokenMs !== null && ["Time to first token", formatDuration(firstTokenMs)],
          tokensPerSecond !== null && ["Tokens per second", formatNumber(tokensPerSecond)],
          [
            "Input tokens",
            `${formatNumber(usage.inputTokens)} (${formatNumber(usage.cachedInputTokens)} cached)`,
          ],
          ["Output tokens", formatNumber(usage.outputTokens)],
          costUsd !== undefined && ["Price", formatUsd(costUsd)],
        ]}
      />
      {tries.some(({ error }) => error !== undefined) && (
        <TablePart
          title="Tries"
          nothing=""
          columns={[
            { name: "Model", cell: ({ model }) => <code>{model}</code> },
            { name: "Duration", cell: ({ durationMs }) => formatDuration(durationMs) },
            { name: "Error", is: "wrap", cell: ({ error = "" }) => error },
          ]}
          rows={tries}
        />
      )}
      <section class="part">
        <h2>Reply</h2>
        {reply === null ? (
          <p>The model did not reply.</p>
        ) : (
          <>
            {reply.text !== "" && (
              <pre class="prose" tabindex={0}>
                {reply.text}
              </pre>
            )}
            {reply.calls.length > 0 && <JsonView value={reply.calls} />}
          </>
        )}
      </section>
      <section class="part">
        <h2>Messages</h2>
        {messages.map(({ role, tool, text, calls = [] }) => (
          <details open={text.length <= LONG_MESSAGE}>
            <summary>
              {tool === undefined ? role : `${role}: ${tool}`}{" "}
              <span class="muted">{`${formatNumber(text.length)} characters`}</span>
            </summary>
            {text !== "" && (
              <pre class="prose" tabindex={0}>
                {text}
              </pre>
            )}
            {calls.length > 0 && <JsonView value={calls} />}
          </details>
        ))}
      </section>
      {curl !== null && <Copyable id="curl" label="Send it again" text={curl} />}
    </Layout>
  );
}
