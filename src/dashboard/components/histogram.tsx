import type { Child } from "hono/jsx";
import { bucketInWords, type ChartData, PLOT, segmentsAt, spanOf } from "./bar-chart.tsx";
import { Time } from "./elements.tsx";

/**
 * Counts over time as a strip above a list, whose bars lead to the list of their time. They are no stops of
 * the keyboard: the filter of the list has the same times.
 */
export function Histogram({
  title,
  data,
  hrefOf,
  chosen: [after, before],
  children,
}: {
  title: string;
  data: ChartData;
  /** Returns where the bar of this time leads. */
  hrefOf: (from: string, to: string) => string;
  /** The time of the list, as its filter has it. */
  chosen: readonly [after: string | null, before: string | null];
  /** Below the bars. */
  children: Child;
}) {
  const { starts, bucket } = data;
  const { left, right, top, bottom } = PLOT;
  const share = (right - left) / starts.length;
  const viewBox = `${left} ${top} ${right - left} ${bottom - top}`;
  return (
    <figure class="histogram">
      <svg viewBox={viewBox} preserveAspectRatio="none">
        <title>{title}</title>
        {starts.map((start, at) => {
          const [from, to] = spanOf(start, bucket);
          const isChosen = after !== null && after <= from && (before === null || to <= before);
          const label = bucketInWords(data, at);
          return (
            <a
              href={hrefOf(from, to)}
              tabindex={-1}
              aria-label={label}
              {...(isChosen && { "aria-current": "true" })}
            >
              <title>{label}</title>
              <rect
                class="reach"
                x={left + at * share}
                width={share}
                y={top}
                height={bottom - top}
              />
              {segmentsAt(data, at).map(({ look, ...place }) => (
                <rect class={`look ${look}`} {...place} />
              ))}
            </a>
          );
        })}
      </svg>
      <figcaption>
        <Time at={starts[0] ?? null} />
        {children}
        <span>now</span>
      </figcaption>
    </figure>
  );
}
