import type { UsageBucket } from "../../../contract/usage.ts";

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
