import { scaleBand, scaleLinear } from "d3-scale";
import { area, line, stack } from "d3-shape";
import type { UsageBucket } from "../../../contract/usage.ts";
import { bucketMark, shortly, unitFor } from "./words.ts";

/** How a series looks: a colour, and a texture or a dash that tells it apart without its colour. */
export type Look = "good" | "bad" | "attention" | "busy" | "idle" | "accent";

export interface Series {
  /** Names it in the legend and in the table. */
  label: string;
  look: Look;
  /** One for each bucket; null where there is none. */
  values: readonly (number | null)[];
}

/** What a chart shows: series of figures over the same buckets. */
export interface ChartData {
  bucket: UsageBucket;
  /** The beginnings of the buckets, ISO 8601. */
  starts: readonly string[];
  series: readonly Series[];
}

/** What figures are of. */
export type Measure = "count" | "duration";

/** The biggest of these, and zero where there is none. */
export function biggest(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

/** What the figures of one bucket come to. */
export function totalAt({ series }: ChartData, at: number): number {
  return series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
}

/** The drawing's own units; a chart is as wide as its place, and its text grows where that is narrow. */
export const WIDTH = 400;
export const HEIGHT = 190;
/** Where figures are drawn; left of it, and below, are the labels of the axes. */
export const PLOT = { right: 396, top: 10, bottom: 164 };
/** What a character of a label takes, where the text is biggest. */
const CHARACTER = 8;
const LABEL_GAP = 12;

const VALUE_TICKS = 4;
const TIME_TICKS = 6;

export interface Tick {
  /** Where it is along its axis. */
  at: number;
  label: string;
}

/** The upright axis: where a value is, and the round values that are marked. */
export interface ValueAxis {
  y(value: number): number;
  ticks: Tick[];
  /** Where its labels end and the figures begin. */
  left: number;
}

/** An axis from zero up to at least `most`, which must be finite. Counts and milliseconds are whole. */
export function valueAxis(most: number, measure: Measure): ValueAxis {
  const unit = measure === "duration" ? unitFor(most) : { name: null, ms: 1 };
  const scale = scaleLinear()
    .domain([0, Math.max(1, most / unit.ms)])
    .nice(VALUE_TICKS)
    .range([PLOT.bottom, PLOT.top]);
  const marks = scale.ticks(VALUE_TICKS);
  const ticks = (unit.ms === 1 ? marks.filter(Number.isInteger) : marks).map((value) => ({
    at: rounded(scale(value)),
    label: unit.name === null ? shortly(value) : `${shortly(value)} ${unit.name}`,
  }));
  const longest = Math.max(...ticks.map(({ label }) => label.length));
  return {
    y: (value) => rounded(scale(value / unit.ms)),
    ticks,
    left: LABEL_GAP + longest * CHARACTER,
  };
}

export interface TimeTick extends Tick {
  start: string;
}

/** The level axis: a band for each bucket, a few of which are named. */
export interface TimeAxis {
  /** The left edge of a bucket's band. */
  x(at: number): number;
  centre(at: number): number;
  bandwidth: number;
  ticks: TimeTick[];
}

/** An axis of these buckets, from `left` on. */
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
      at % every === 0 ? [{ at: centre(at), label: bucketMark(start, bucket), start }] : [],
    ),
  };
}

/** A tenth of a unit is less than a pixel. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

export interface Curve {
  look: Look;
  /** The path of the line, broken where there is no value. */
  line: string;
  /** The path of what lies under it. */
  area: string;
  points: { at: number; x: number; y: number; value: number }[];
}

/** A line for each series, from bucket to bucket. */
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

export interface Segment {
  look: Look;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What one bucket is drawn as. */
export interface Bar {
  at: number;
  /** From below to the top; those of nothing are left out. */
  segments: Segment[];
}

/** Stacks the series of each bucket upon each other, in their order from below. */
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
      // Edges are rounded, not heights, so that what is stacked has neither gaps nor overlaps.
      const y = values.y(to);
      const height = rounded(values.y(from) - y);
      return [{ look, x: times.x(at), y, width: times.bandwidth, height }];
    });
  return { bars: buckets.map((at) => ({ at, segments: segmentsOf(at) })), values, times };
}
