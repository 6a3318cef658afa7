import { scaleBand, scaleLinear } from "d3-scale";
import type { UsageBucket } from "../../../contract/usage.ts";
import type { Measure } from "./data.ts";
import { bucketMark, shortly, unitFor } from "./words.ts";

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
