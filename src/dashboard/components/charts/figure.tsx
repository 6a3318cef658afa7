import type { Child } from "hono/jsx";
import type { UsageBucket } from "../../../contract/usage.ts";
import { formatBucket, formatNumber } from "../../format.ts";
import { Time } from "../elements.tsx";
import { type Column, Table } from "../table.tsx";
import {
  type ChartData,
  HEIGHT,
  PLOT,
  type Series,
  type TimeAxis,
  totalAt,
  type ValueAxis,
  WIDTH,
} from "./layout.ts";

/** The distance of a label from its tick. */
const GAP = 8;

/** The axes. `page.js` shows hours in the reader's time zone. */
export function Axes({
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

/** A chart with a description, a legend, and its figures as a table. */
export function ChartFigure({
  id,
  title,
  says,
  data,
  swatch,
  children,
}: {
  /** Unique in its page. */
  id: string;
  title: string;
  /** The description for screen readers. */
  says: string;
  data: ChartData;
  /** The mark of a series in the legend. */
  swatch: (series: Series) => Child;
  children: Child;
}) {
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
        <desc id={`${id}-says`}>{says}</desc>
        {children}
      </svg>
      <ul class="legend">
        {data.series.map((series) => (
          <li>
            {swatch(series)}
            {series.label} <strong>{formatNumber(sumOf(series))}</strong>
          </li>
        ))}
      </ul>
      <Figures title={title} data={data} />
    </figure>
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
