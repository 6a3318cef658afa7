import type { Percentiles } from "../../../contract/usage.ts";
import { told } from "../../components/charts/words.ts";
import type { OverviewData } from "./load.ts";
import { RANGES } from "./range.ts";

/** The account's balance, and what there was in the range, in a row of figures. */
export function Numbers({ data: { range, credits, usage, webhooks } }: { data: OverviewData }) {
  const span = RANGES.find(({ id }) => id === range)?.label ?? "";
  return (
    <section class="card" aria-label="Figures">
      <dl class="tiles">
        {credits.ok && (
          <Tile
            name="Credits available"
            value={told(credits.value.availableCredits, "count")}
            note={`${told(credits.value.reservedCredits, "count")} reserved, ${told(credits.value.consumedCredits, "count")} consumed in all`}
          />
        )}
        {usage.ok && <Runs figures={usage.value.total} span={span} />}
        {webhooks.ok && <Webhooks figures={webhooks.value.total} span={span} />}
      </dl>
      {!credits.ok && <p class="muted">{`Balance: ${credits.why}`}</p>}
    </section>
  );
}

interface Figures<Which extends "usage" | "webhooks"> {
  figures: Extract<OverviewData[Which], { ok: true }>["value"]["total"];
  /** The range in words. */
  span: string;
}

function Runs({ figures: { executions, creditsConsumed }, span }: Figures<"usage">) {
  const { completed, failed } = executions;
  return (
    <>
      <Tile
        name={`Executions in ${span}`}
        value={told(sum(executions), "count")}
        note={`${told(completed, "count")} completed, ${told(failed, "count")} failed`}
      />
      <Tile
        name={`Credits used in ${span}`}
        value={told(creditsConsumed, "count")}
        note="by the executions of this time"
      />
    </>
  );
}

function Webhooks({ figures: { requests, latencyMs }, span }: Figures<"webhooks">) {
  return (
    <>
      <Tile
        name={`Webhooks in ${span}`}
        value={told(sum(requests), "count")}
        note={`${told(requests.rejected, "count")} rejected, ${told(requests.failed, "count")} failed`}
      />
      <Tile
        name="Webhook to start, p50"
        value={half(latencyMs.toStart)}
        note={`${most(latencyMs.toStart)}; to completion p50 ${half(latencyMs.toCompletion)}`}
      />
    </>
  );
}

function Tile({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class="figure">{value}</span>
        <span class="muted">{note}</span>
      </dd>
    </div>
  );
}

function half(percentiles: Percentiles): string {
  return told(percentiles?.p50 ?? null, "duration");
}

function most(percentiles: Percentiles): string {
  return `p99 ${told(percentiles?.p99 ?? null, "duration")}`;
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
