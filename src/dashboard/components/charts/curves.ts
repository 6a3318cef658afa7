import { area, line } from "d3-shape";
import { biggest, type ChartData, type Look, type Measure } from "./data.ts";
import { PLOT, type TimeAxis, timeAxis, type ValueAxis, valueAxis } from "./plot.ts";

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
