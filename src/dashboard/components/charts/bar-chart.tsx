import { formatBucket, formatNumber } from "../../format.ts";
import { Axes, ChartFigure } from "./figure.tsx";
import { type ChartData, type Look, PLOT, stackedBars, totalAt } from "./layout.ts";

/** The size of a texture's tile. */
const TILE = 6;

/** Strokes on a tile that tell a look apart without its colour; other looks are plain. */
const STROKES: Partial<Record<Look, { path: string; turn: number }>> = {
  bad: { path: "M0 0V6", turn: 45 },
  busy: { path: "M0 0V6", turn: -45 },
  idle: { path: "M3 0V6", turn: 0 },
  attention: { path: "M0 3H6M3 0V6", turn: 45 },
};

/** Defines the textures of these looks for a chart of this id. */
function Textures({ id, looks }: { id: string; looks: readonly Look[] }) {
  return (
    <defs>
      {looks.map((look) => {
        const strokes = STROKES[look];
        if (strokes === undefined) return null;
        return (
          <pattern
            id={textureId(id, look)}
            width={TILE}
            height={TILE}
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${strokes.turn})`}
          >
            <rect class={`look ${look}`} width={TILE} height={TILE} />
            <path class="strokes" d={strokes.path} />
          </pattern>
        );
      })}
    </defs>
  );
}

/** Returns the fill of a look: its texture, or its plain colour. */
function fillOf(id: string, look: Look): Record<string, string> {
  return STROKES[look] === undefined
    ? { class: `look ${look}` }
    : { fill: `url(#${textureId(id, look)})` };
}

function textureId(id: string, look: Look): string {
  return `${id}-${look}`;
}

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

/** Describes the sums of the series and the largest bucket. */
function inWords(data: ChartData): string {
  const sums = data.series.map(({ label, values }) => {
    const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0);
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
