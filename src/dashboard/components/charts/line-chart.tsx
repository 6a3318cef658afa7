import { formatBucket } from "../../format.ts";
import { Axes, ChartFigure } from "./figure.tsx";
import {
  biggest,
  type ChartData,
  type Curve,
  curves,
  formatFigure,
  type Look,
  type Measure,
} from "./layout.ts";
/** Values over time as lines, with the area below them if `filled`. */
export function LineChart({
  id,
  title,
  data,
  measure,
  filled = false,
}: {
  /** Unique in its page. */
  id: string;
  title: string;
  data: ChartData;
  measure: Measure;
  filled?: boolean;
}) {
  const { curves: drawn, values, times } = curves(data, measure);
  return (
    <ChartFigure
      id={id}
      title={title}
      says={inWords(data, measure)}
      data={data}
      measure={measure}
      swatch={({ look }) => (
        <svg class="swatch wide" viewBox="0 0 28 14" aria-hidden="true">
          <path class={`curve ${look}`} d="M1 7H27" />
          <Point look={look} x={14} y={7} />
        </svg>
      )}
    >
      <Axes values={values} times={times} bucket={data.bucket} />
      {drawn.map((curve, which) => (
        <g>
          {filled && <path class={`under ${curve.look}`} d={curve.area} />}
          <path class={`curve ${curve.look}`} d={curve.line} />
          {curve.points.map(({ at, x, y, value }) => (
            <g>
              <title>
                {`${formatBucket(data.starts[at] ?? "", data.bucket)}\n${data.series[which]?.label}: ${formatFigure(value, measure)}`}
              </title>
              <Point look={curve.look} x={x} y={y} isFaint={filled && !isLone(curve, at)} />
            </g>
          ))}
        </g>
      ))}
    </ChartFigure>
  );
}

/** A square for `attention`, a disc for other looks: marks differ in more than colour. */
function Point({
  look,
  x,
  y,
  isFaint = false,
}: {
  look: Look;
  x: number;
  y: number;
  /** Visible only under the pointer: the line says enough. */
  isFaint?: boolean;
}) {
  const name = `look ${look}${isFaint ? " faint" : ""}`;
  if (look === "attention") {
    return <rect class={name} x={x - 2.5} y={y - 2.5} width="5" height="5" />;
  }
  return <circle class={name} cx={x} cy={y} r="2.5" />;
}

/** Tells whether no line leads to or from a point. */
function isLone({ points }: Curve, at: number): boolean {
  return !points.some((other) => Math.abs(other.at - at) === 1);
}

function inWords({ series, starts, bucket }: ChartData, measure: Measure): string {
  const sentences = series.flatMap(({ label, values }) => {
    const most = biggest(values);
    const at = values.indexOf(most);
    if (at < 0) return [];
    return [
      `${label}: at most ${formatFigure(most, measure)}, on ${formatBucket(starts[at] ?? "", bucket)}.`,
    ];
  });
  return sentences.join(" ") || "No data in this range.";
}
