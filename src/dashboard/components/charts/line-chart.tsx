import { Axes, ChartFigure } from "./figure.tsx";
import { biggest, type ChartData, type Curve, curves, type Look, type Measure } from "./layout.ts";
import { bucketName, told } from "./words.ts";

/** Values over time as lines, with what lies under them filled where `filled` is set. */
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
                {`${bucketName(data.starts[at] ?? "", data.bucket)}\n${data.series[which]?.label}: ${told(value, measure)}`}
              </title>
              <Point look={curve.look} x={x} y={y} isFaint={filled && !isLone(curve, at)} />
            </g>
          ))}
        </g>
      ))}
    </ChartFigure>
  );
}

/** A square for what needs attention, a disc for all else: the marks differ in more than colour. */
function Point({
  look,
  x,
  y,
  isFaint = false,
}: {
  look: Look;
  x: number;
  y: number;
  /** Seen only by who points at it: the line says enough. */
  isFaint?: boolean;
}) {
  const name = `look ${look}${isFaint ? " faint" : ""}`;
  if (look === "attention") {
    return <rect class={name} x={x - 2.5} y={y - 2.5} width="5" height="5" />;
  }
  return <circle class={name} cx={x} cy={y} r="2.5" />;
}

/** Whether there is no line to or from a point. */
function isLone({ points }: Curve, at: number): boolean {
  return !points.some((other) => Math.abs(other.at - at) === 1);
}

function inWords({ series, starts, bucket }: ChartData, measure: Measure): string {
  const sentences = series.flatMap(({ label, values }) => {
    const most = biggest(values);
    const at = values.indexOf(most);
    if (at < 0) return [];
    return [
      `${label}: at most ${told(most, measure)}, on ${bucketName(starts[at] ?? "", bucket)}.`,
    ];
  });
  return sentences.join(" ") || "There is nothing in this time.";
}
