import { stack } from "d3-shape";
import { type ChartData, type Look, totalAt } from "./data.ts";
import { rounded, type TimeAxis, timeAxis, type ValueAxis, valueAxis } from "./plot.ts";

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
