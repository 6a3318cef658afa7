import { Axes } from "./axes.tsx";
import { type ChartData, totalAt } from "./data.ts";
import { ChartFigure } from "./figure.tsx";
import { PLOT } from "./plot.ts";
import { stackedBars } from "./stack.ts";
import { fillOf, Textures } from "./texture.tsx";
import { bucketName, told } from "./words.ts";

const SWATCH = 14;

/** Counts over time, the series stacked upon each other. `id` is unique in its page. */
export function BarChart({ id, title, data }: { id: string; title: string; data: ChartData }) {
  const { bars, values, times } = stackedBars(data);
  return (
    <ChartFigure
      id={id}
      title={title}
      says={inWords(data)}
      data={data}
      measure="count"
      swatch={({ look }) => (
        <svg class="swatch" viewBox={`0 0 ${SWATCH} ${SWATCH}`} aria-hidden="true">
          <rect width={SWATCH} height={SWATCH} rx="3" {...fillOf(id, look)} />
        </svg>
      )}
    >
      <Textures id={id} looks={data.series.map(({ look }) => look)} />
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
            <rect x={x} y={y} width={width} height={height} {...fillOf(id, look)} />
          ))}
        </g>
      ))}
    </ChartFigure>
  );
}

/** The sums of the series, and when there was most. */
function inWords(data: ChartData): string {
  const sums = data.series.map(({ label, values }) => {
    const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0);
    return `${label}: ${told(sum, "count")}`;
  });
  const totals = data.starts.map((_, at) => totalAt(data, at));
  const most = Math.max(0, ...totals);
  if (most === 0) return "There is nothing in this time.";
  const start = data.starts[totals.indexOf(most)] ?? "";
  return `${sums.join(", ")}. The most in one ${data.bucket} was ${told(most, "count")}, on ${bucketName(start, data.bucket)}.`;
}

function bucketInWords({ series, starts, bucket }: ChartData, at: number): string {
  const figures = series.flatMap(({ label, values }) => {
    const value = values[at] ?? 0;
    return value === 0 ? [] : [`${label}: ${told(value, "count")}`];
  });
  return `${bucketName(starts[at] ?? "", bucket)}\n${figures.join("\n") || "Nothing"}`;
}
