import { scaleBand, scaleLinear } from "d3-scale";
import { area, line, stack } from "d3-shape";
import type { UsageBucket } from "../../../contract/usage.ts";
import { formatCompact, formatDuration, formatNumber, formatTick } from "../../format.ts";
/** The look of a series: a colour, and a texture or a mark that tells it apart without colour. */
export type Look = "good" | "bad" | "attention" | "busy" | "idle" | "accent";

export interface Series {
  /** Names it in the legend and in the table. */
  label: string;
  look: Look;
  /** A value for each bucket; null for none. */
  values: readonly (number | null)[];
}

/** The data of a chart: series of figures over the same buckets. */
export interface ChartData {
  bucket: UsageBucket;
  /** The starts of the buckets, in ISO 8601. */
  starts: readonly string[];
  series: readonly Series[];
}

/** The kind of a figure; durations are in milliseconds. */
export type Measure = "count" | "duration";

/** Formats a figure for texts and tables. */
export function formatFigure(value: number | null, measure: Measure): string {
  return measure === "count" ? formatNumber(value) : formatDuration(value);
}

/** Returns the largest value, zero without any. */
export function biggest(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

/** Returns the sum of the figures of one bucket. */
export function totalAt({ series }: ChartData, at: number): number {
  return series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
}

/** The drawing's own units: a chart scales to its place, and its text grows where that is narrow. */
export const WIDTH = 400;
export const HEIGHT = 190;
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

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Units of time, and up to which duration each labels an axis. */
const UNITS = [
  { name: "ms", ms: 1, upTo: 2 * SECOND_MS },
  { name: "s", ms: SECOND_MS, upTo: 2 * MINUTE_MS },
  { name: "min", ms: MINUTE_MS, upTo: 2 * HOUR_MS },
];
const HOURS = { name: "h", ms: HOUR_MS };

/** Returns an axis from zero to at least `most`, which must be finite. Ticks of counts and milliseconds are whole. */
export function valueAxis(most: number, measure: Measure): ValueAxis {
  const unit =
    measure === "duration"
      ? (UNITS.find(({ upTo }) => most < upTo) ?? HOURS)
      : { name: null, ms: 1 };
  const scale = scaleLinear()
    .domain([0, Math.max(1, most / unit.ms)])
    .nice(VALUE_TICKS)
    .range([PLOT.bottom, PLOT.top]);
  const marks = scale.ticks(VALUE_TICKS);
  const ticks = (unit.ms === 1 ? marks.filter(Number.isInteger) : marks).map((value) => ({
    at: rounded(scale(value)),
    label: unit.name === null ? formatCompact(value) : `${formatCompact(value)} ${unit.name}`,
  }));
  const longest = Math.max(...ticks.map(({ label }) => label.length));
  return {
    y: (value) => rounded(scale(value / unit.ms)),
    ticks,
    left: LABEL_GAP + longest * CHARACTER,
  };
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

export interface Curve {
  look: Look;
  /** The path of the line, with gaps where there is no value. */
  line: string;
  /** The path of the area under it. */
  area: string;
  points: { at: number; x: number; y: number; value: number }[];
}

/** Returns a line for each series. */
export function curves(
  { series, starts, bucket }: ChartData,
  measure: Measure,
): { curves: Curve[]; values: ValueAxis; times: TimeAxis } {
  const values = valueAxis(biggest(series.flatMap((one) => one.values)), measure);
  const times = timeAxis(starts, bucket, values.left);
  const isThere = (value: number | null) => value !== null;
  const x = (_: number | null, at: number) => times.centre(at);
  const y = (value: number | null) => values.y(value ?? 0);
  const path = line<number | null>().defined(isThere).x(x).y(y).digits(1);
  const under = area<number | null>().defined(isThere).x(x).y1(y).y0(PLOT.bottom).digits(1);
  return {
    curves: series.map((one) => ({
      look: one.look,
      line: path(one.values) ?? "",
      area: under(one.values) ?? "",
      points: one.values.flatMap((value, at) =>
        value === null ? [] : [{ at, x: times.centre(at), y: values.y(value), value }],
      ),
    })),
    values,
    times,
  };
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
  const buckets = starts.map((_, at) => at);
  const values = valueAxis(Math.max(0, ...buckets.map((at) => totalAt(data, at))), "count");
  const times = timeAxis(starts, bucket, values.left);
  const layers = stack<unknown, number, number>()
    .keys(series.keys())
    .value((at, which) => series[which]?.values[at] ?? 0)(buckets);
  const segmentsOf = (at: number) =>
    series.flatMap(({ look }, which): Segment[] => {
      const [from, to] = layers[which]?.[at] ?? [0, 0];
      if (to === from) return [];
      // Edges are rounded, not heights, so that segments have neither gaps nor overlaps.
      const y = values.y(to);
      const height = rounded(values.y(from) - y);
      return [{ look, x: times.x(at), y, width: times.bandwidth, height }];
    });
  return { bars: buckets.map((at) => ({ at, segments: segmentsOf(at) })), values, times };
}
