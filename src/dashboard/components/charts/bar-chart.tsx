import type { UsageBucket } from "../../../contract/usage.ts";
import { formatBucket, formatNumber } from "../../format.ts";
import { Time } from "../elements.tsx";
import { type Column, Table } from "../table.tsx";
import {
  type ChartData,
  HEIGHT,
  PLOT,
  type Series,
  stackedBars,
  type TimeAxis,
  totalAt,
  type ValueAxis,
  WIDTH,
} from "./layout.ts";

const SWATCH = 14;
/** The distance of a label from its tick. */
const GAP = 8;

/** Counts over time as stacked bars, with a description, a legend and a table. `id` is unique in its page. */
export function BarChart({ id, title, data }: { id: string; title: string; data: ChartData }) {
  const { bars, values, times } = stackedBars(data);
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title}</h2>
        <span class="muted" {...(data.bucket === "hour" && { "data-zone": "" })}>
          UTC
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-title ${id}-says`}>
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-says`}>{inWords(data)}</desc>
        <Axes values={values} times={times} bucket={data.bucket} />
        {bars.map(({ at, segments }) => (
          <g>
            <title>{bucketInWords(data, at)}</title>
            <rect
              class="reach"
              x={times.x(at)}
              y={PLOT.top}
              width={times.bandwidth}
              height={PLOT.bottom - PLOT.top}
            />
            {segments.map(({ look, x, y, width, height }) => (
              <rect x={x} y={y} width={width} height={height} class={`look ${look}`} />
            ))}
          </g>
        ))}
      </svg>
      <ul class="legend">
        {data.series.map((series) => (
          <li>
            <svg class="swatch" viewBox={`0 0 ${SWATCH} ${SWATCH}`} aria-hidden="true">
              <rect width={SWATCH} height={SWATCH} rx="3" class={`look ${series.look}`} />
            </svg>
            {series.label} <strong>{formatNumber(sumOf(series))}</strong>
          </li>
        ))}
      </ul>
      <Figures title={title} data={data} />
    </figure>
  );
}

/** The axes. `page.js` shows hours in the reader's time zone. */
function Axes({
  values,
  times,
  bucket,
}: {
  values: ValueAxis;
  times: TimeAxis;
  bucket: UsageBucket;
}) {
  const isHourly = bucket === "hour";
  return (
    <g class="axes">
      {values.ticks.map(({ at, label }) => (
        <>
          <line x1={values.left} x2={PLOT.right} y1={at} y2={at} />
          <text x={values.left - GAP} y={at} text-anchor="end" dominant-baseline="middle">
            {label}
          </text>
        </>
      ))}
      {times.ticks.map(({ at, label, start }) => (
        <text
          x={at}
          y={PLOT.bottom + GAP}
          text-anchor="middle"
          dominant-baseline="hanging"
          {...(isHourly && { "data-hour": start })}
        >
          {label}
        </text>
      ))}
    </g>
  );
}

function sumOf({ values }: Series): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function Figures({ title, data }: { title: string; data: ChartData }) {
  const { bucket, starts, series } = data;
  const figures = series.map(({ label, values }): Column<number> => {
    return { name: label, is: "num", cell: (at) => formatNumber(values[at] ?? 0) };
  });
  const columns: Column<number>[] = [
    {
      name: bucket === "hour" ? "Hour" : "Day (UTC)",
      cell: (at) => {
        const start = starts[at] ?? "";
        return bucket === "hour" ? <Time at={start} /> : formatBucket(start, bucket);
      },
    },
    ...figures,
    { name: "Total", is: "num", cell: (at) => formatNumber(totalAt(data, at)) },
  ];
  return (
    <details>
      <summary>Show as table</summary>
      <Table
        label={`${title}, as a table`}
        columns={series.length > 1 ? columns : columns.slice(0, -1)}
        rows={[...starts.keys()]}
        isWide
      />
    </details>
  );
}

/** Describes the sums of the series and the largest bucket. */
function inWords(data: ChartData): string {
  const sums = data.series.map((series) => `${series.label}: ${formatNumber(sumOf(series))}`);
  const totals = data.starts.map((_, at) => totalAt(data, at));
  const most = Math.max(0, ...totals);
  if (most === 0) return "No data in this range.";
  const start = data.starts[totals.indexOf(most)] ?? "";
  return `${sums.join(", ")}. The most in one ${data.bucket} was ${formatNumber(most)}, on ${formatBucket(start, data.bucket)}.`;
}

function bucketInWords({ series, starts, bucket }: ChartData, at: number): string {
  const figures = series.flatMap(({ label, values }) => {
    const value = values[at] ?? 0;
    return value === 0 ? [] : [`${label}: ${formatNumber(value)}`];
  });
  return `${formatBucket(starts[at] ?? "", bucket)}\n${figures.join("\n") || "Nothing"}`;
}
