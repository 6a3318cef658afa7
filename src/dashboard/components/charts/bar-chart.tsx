import { formatBucket, formatNumber } from "../../format.ts";
import { Axes, ChartFigure } from "./figure.tsx";
import { type ChartData, PLOT, stackedBars, totalAt } from "./layout.ts";

const SWATCH = 14;

/** Counts over time as stacked bars. `id` is unique in its page. */
export function BarChart({ id, title, data }: { id: string; title: string; data: ChartData }) {
  const { bars, values, times } = stackedBars(data);
  return (
    <ChartFigure
      id={id}
      title={title}
      says={inWords(data)}
      data={data}
      swatch={({ look }) => (
        <svg class="swatch" viewBox={`0 0 ${SWATCH} ${SWATCH}`} aria-hidden="true">
          <rect width={SWATCH} height={SWATCH} rx="3" class={`look ${look}`} />
        </svg>
      )}
    >
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
    </ChartFigure>
  );
}

/** Describes the sums of the series and the largest bucket. */
function inWords(data: ChartData): string {
  const sums = data.series.map(({ label, values }) => {
    const sum = values.reduce((total, value) => total + value, 0);
    return `${label}: ${formatNumber(sum)}`;
  });
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
