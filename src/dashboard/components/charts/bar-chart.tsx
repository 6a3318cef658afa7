import { scaleBand, scaleLinear } from "d3-scale";
import type { UsageBucket } from "../../../contract/usage.ts";
import { formatBucket, formatCompact, formatNumber, formatTick } from "../../format.ts";
import { Time } from "../elements.tsx";
import { type Column, Table } from "../table.tsx";

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

/** The colour of a series; its name and count stand in the legend. */
export type Look = "good" | "bad" | "attention" | "busy" | "idle" | "accent";

interface Series {
  /** Names it in the legend and in the table. */
  label: string;
  look: Look;
  /** A count for each bucket. */
  values: readonly number[];
}

/** The data of a chart: series of figures over the same buckets. */
export interface ChartData {
  bucket: UsageBucket;
  /** The starts of the buckets, in ISO 8601. */
  starts: readonly string[];
  series: readonly Series[];
}

/** Returns the sum of the figures of one bucket. */
function totalAt({ series }: ChartData, at: number): number {
  return series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
}

/** The drawing's own units: a chart scales to its place, and its text grows where that is narrow. */
const WIDTH = 400;
const HEIGHT = 190;
/** The area of the figures; the labels of the axes are to its left and below. */
export const PLOT = { right: 396, top: 10, bottom: 164 };
/** The width of a label's character at the largest text size. */
const CHARACTER = 8;
const LABEL_GAP = 12;

const VALUE_TICKS = 4;
const TIME_TICKS = 6;

interface Tick {
  /** The position along its axis. */
  at: number;
  label: string;
}

/** The vertical axis: the positions of values, and round values as ticks. */
export interface ValueAxis {
  y(value: number): number;
  ticks: Tick[];
  /** Where its labels end and the figures start. */
  left: number;
}

/** Returns an axis from zero to at least `most`, which must be finite. Its ticks are whole. */
export function valueAxis(most: number): ValueAxis {
  const scale = scaleLinear()
    .domain([0, Math.max(1, most)])
    .nice(VALUE_TICKS)
    .range([PLOT.bottom, PLOT.top]);
  const ticks = scale
    .ticks(VALUE_TICKS)
    .filter(Number.isInteger)
    .map((value) => ({ at: rounded(scale(value)), label: formatCompact(value) }));
  const longest = Math.max(...ticks.map(({ label }) => label.length));
  return { y: (value) => rounded(scale(value)), ticks, left: LABEL_GAP + longest * CHARACTER };
}

interface TimeTick extends Tick {
  start: string;
}

/** The horizontal axis: a band for each bucket, a few of which have labels. */
export interface TimeAxis {
  /** The left edge of a bucket's band. */
  x(at: number): number;
  centre(at: number): number;
  bandwidth: number;
  ticks: TimeTick[];
}

/** Returns an axis of these buckets that starts at `left`. */
export function timeAxis(starts: readonly string[], bucket: UsageBucket, left: number): TimeAxis {
  const scale = scaleBand<number>()
    .domain(starts.keys())
    .range([left, PLOT.right])
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const x = (at: number) => scale(at) ?? left;
  const centre = (at: number) => rounded(x(at) + scale.bandwidth() / 2);
  const every = Math.max(1, Math.ceil(starts.length / TIME_TICKS));
  return {
    x: (at) => rounded(x(at)),
    centre,
    bandwidth: rounded(scale.bandwidth()),
    ticks: starts.flatMap((start, at) =>
      at % every === 0 ? [{ at: centre(at), label: formatTick(start, bucket), start }] : [],
    ),
  };
}

/** A tenth of a unit is less than a pixel. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

interface Segment {
  look: Look;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The drawing of one bucket. */
export interface Bar {
  at: number;
  /** From bottom to top, without empty ones. */
  segments: Segment[];
}

/** Stacks the series of each bucket, in their order from the bottom. */
export function stackedBars(data: ChartData): { bars: Bar[]; values: ValueAxis; times: TimeAxis } {
  const { series, starts, bucket } = data;
  const values = valueAxis(Math.max(0, ...starts.map((_, at) => totalAt(data, at))));
  const times = timeAxis(starts, bucket, values.left);
  const segmentsOf = (at: number) => {
    let below = 0;
    return series.flatMap(({ look, values: counts }): Segment[] => {
      const count = counts[at] ?? 0;
      if (count === 0) return [];
      // Edges are rounded, not heights, so that segments have neither gaps nor overlaps.
      const y = values.y(below + count);
      const height = rounded(values.y(below) - y);
      below += count;
      return [{ look, x: times.x(at), y, width: times.bandwidth, height }];
    });
  };
  return { bars: starts.map((_, at) => ({ at, segments: segmentsOf(at) })), values, times };
}
