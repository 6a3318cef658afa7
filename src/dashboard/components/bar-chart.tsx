import type { Child } from "hono/jsx";
import { BUCKET_MS, type UsageBucket } from "../../contract/usage.ts";
import { formatBucket, formatCompact, formatNumber, formatTick } from "../format.ts";
import { Time } from "./elements.tsx";
import { type Column, sumColumn, Table } from "./table.tsx";

interface Series {
  /** Names it in the legend and in the table. */
  label: string;
  /** Its colour; the name and the count stand in the legend. */
  look: "good" | "bad" | "attention" | "busy" | "idle" | "accent";
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

/** The drawing's own units: a chart scales to its place. The labels of the axes are around the plot. */
const SIZE = { width: 400, height: 190 };
export const PLOT = { left: 52, right: 396, top: 10, bottom: 164 };
/** The distance of a label from the plot. */
const GAP = 8;
const TIME_TICKS = 6;
const SWATCH = 14;

/** Returns the list of what was counted between two times, to which a bar leads. */
type HrefOf = (from: string, to: string) => string;

/** Counts over time as stacked bars, with a description, a legend and a table. `id` is unique in its page. */
export function BarChart({
  id,
  title,
  data,
  hrefOf,
}: {
  id: string;
  title: string;
  data: ChartData;
  hrefOf: HrefOf;
}) {
  const { bucket, starts, series } = data;
  const isHourly = bucket === "hour";
  const { left, right, top, bottom } = PLOT;
  const every = Math.ceil(starts.length / TIME_TICKS);
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title}</h2>
        <span class="muted" {...(isHourly && { "data-zone": "" })}>
          UTC
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-labelledby={`${id}-title ${id}-says`}>
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-says`}>{inWords(data)}</desc>
        <g class="axes">
          {[top, bottom].map((y) => (
            <>
              <line x1={left} x2={right} y1={y} y2={y} />
              <text x={left - GAP} y={y} text-anchor="end" dominant-baseline="middle">
                {formatCompact(y === top ? mostOf(data) : 0)}
              </text>
            </>
          ))}
          {/* `page.js` shows hours in the reader's time zone. */}
          {starts.map((start, at) => {
            const { x, width } = bandAt(at, starts.length);
            return (
              at % every === 0 && (
                <text
                  x={x + width / 2}
                  y={bottom + GAP}
                  text-anchor="middle"
                  dominant-baseline="hanging"
                  {...(isHourly && { "data-hour": start })}
                >
                  {formatTick(start, bucket)}
                </text>
              )
            );
          })}
        </g>
        <Bars data={data} hrefOf={hrefOf} />
      </svg>
      <ul class="legend">
        {series.map(({ label, look, values }) => (
          <li>
            <svg width={SWATCH} height={SWATCH} aria-hidden="true">
              <rect width={SWATCH} height={SWATCH} rx="3" class={`look ${look}`} />
            </svg>
            {label} <strong>{formatNumber(sum(values))}</strong>
          </li>
        ))}
      </ul>
      <details>
        <summary>Show as table</summary>
        <Table
          label={`${title}, as a table`}
          columns={columnsOf(data, hrefOf)}
          rows={[...starts.keys()]}
          isWide
        />
      </details>
    </figure>
  );
}

/** Counts over time as a strip above a list, whose bars lead to the list of their time. */
export function Histogram({
  title,
  data,
  hrefOf,
  children,
}: {
  title: string;
  data: ChartData;
  hrefOf: HrefOf;
  /** Below the bars. */
  children: Child;
}) {
  const { left, right, top, bottom } = PLOT;
  return (
    <figure class="histogram">
      <svg viewBox={`${left} ${top} ${right - left} ${bottom - top}`} preserveAspectRatio="none">
        <title>{title}</title>
        <Bars data={data} hrefOf={hrefOf} />
      </svg>
      <figcaption>
        <Time at={data.starts[0] ?? null} />
        {children}
        <span>now</span>
      </figcaption>
    </figure>
  );
}

/** The bars, as links. They are no stops of the keyboard: a table or a filter beside them has the same times. */
function Bars({ data, hrefOf }: { data: ChartData; hrefOf: HrefOf }) {
  const { left, right, top, bottom } = PLOT;
  const width = (right - left) / data.starts.length;
  return (
    <>
      {data.starts.map((start, at) => {
        const [from, to] = spanOf(start, data.bucket);
        const label = bucketInWords(data, at);
        return (
          <a href={hrefOf(from, to)} tabindex={-1} aria-label={label}>
            <title>{label}</title>
            <rect class="reach" x={left + at * width} width={width} y={top} height={bottom - top} />
            {segmentsAt(data, at).map(({ look, ...place }) => (
              <rect class={`look ${look}`} {...place} />
            ))}
          </a>
        );
      })}
    </>
  );
}

function columnsOf({ bucket, starts, series }: ChartData, hrefOf: HrefOf): Column<number>[] {
  const isHourly = bucket === "hour";
  const time = (at: number) => {
    const start = starts[at] ?? "";
    return (
      <a href={hrefOf(...spanOf(start, bucket))}>
        {isHourly ? <Time at={start} /> : formatBucket(start, bucket)}
      </a>
    );
  };
  return [
    { name: isHourly ? "Hour" : "Day (UTC)", cell: time },
    ...series.map(({ label, values }) => sumColumn<number>(label, (at) => values[at] ?? 0)),
    ...(series.length > 1 ? [sumColumn<number>("Total", (at) => totalAt(series, at))] : []),
  ];
}

/** Returns the start and the end of a bucket as filters of lists have them, in UTC. */
function spanOf(start: string, bucket: UsageBucket): [from: string, to: string] {
  const end = new Date(Date.parse(start) + BUCKET_MS[bucket]).toISOString();
  return [start.slice(0, 19), end.slice(0, 19)];
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const totalAt = (series: readonly Series[], at: number): number =>
  sum(series.map(({ values }) => values[at] ?? 0));

/** Returns the largest total of a bucket, which is the top of the plot; at least 1. */
const mostOf = ({ series, starts }: ChartData): number =>
  Math.max(1, ...starts.map((_, at) => totalAt(series, at)));

/** Describes the sums of the series and the largest bucket. */
function inWords(data: ChartData): string {
  const { series, starts, bucket } = data;
  const most = mostOf(data);
  const at = starts.findIndex((_, each) => totalAt(series, each) === most);
  if (at < 0) return "No data in this range.";
  const sums = series.map(({ label, values }) => `${label}: ${formatNumber(sum(values))}`);
  return `${sums.join(", ")}. The most in one ${bucket} was ${formatNumber(most)}, on ${formatBucket(starts[at] ?? "", bucket)}.`;
}

/** Describes one bucket: its start, and what it counts. */
function bucketInWords({ series, starts, bucket }: ChartData, at: number): string {
  const figures = series.flatMap(({ label, values }) => {
    const value = values[at] ?? 0;
    return value === 0 ? [] : [`${label}: ${formatNumber(value)}`];
  });
  return `${formatBucket(starts[at] ?? "", bucket)}\n${figures.join("\n") || "Nothing"}`;
}

/** Returns where the bar of a bucket stands: four fifths of an equal share of the plot. */
function bandAt(at: number, count: number): { x: number; width: number } {
  const share = (PLOT.right - PLOT.left) / count;
  return { x: rounded(PLOT.left + (at + 0.1) * share), width: rounded(0.8 * share) };
}

/** Stacks the counts of a bucket, in the order of the series from the bottom, without empty ones. */
export function segmentsAt(data: ChartData, at: number) {
  const band = bandAt(at, data.starts.length);
  const unit = (PLOT.bottom - PLOT.top) / mostOf(data);
  let below = 0;
  return data.series.flatMap(({ look, values }) => {
    const count = values[at] ?? 0;
    if (count === 0) return [];
    // Edges are rounded, not heights, so that segments have neither gaps nor overlaps.
    const end = rounded(PLOT.bottom - below * unit);
    below += count;
    const y = rounded(PLOT.bottom - below * unit);
    return [{ look, ...band, y, height: rounded(end - y) }];
  });
}

/** A tenth of a unit is less than a pixel. */
const rounded = (value: number): number => Math.round(value * 10) / 10;
