import type { UsageBucket } from "../../../contract/usage.ts";
import { PLOT, type TimeAxis, type ValueAxis } from "./plot.ts";

/** How far a label is from what it names. */
const GAP = 8;

/** The lines and labels that figures are read by. Hours are shown in the reader's zone by `page.js`. */
export function Axes({
  values,
  times,
  bucket,
}: {
  values: ValueAxis;
  times: TimeAxis;
  bucket: UsageBucket;
}) {
  const isHourly = bucket === "hour";
  return (
    <g class="axes">
      {values.ticks.map(({ at, label }) => (
        <>
          <line x1={values.left} x2={PLOT.right} y1={at} y2={at} />
          <text x={values.left - GAP} y={at} text-anchor="end" dominant-baseline="middle">
            {label}
          </text>
        </>
      ))}
      {times.ticks.map(({ at, label, start }) => (
        <text
          x={at}
          y={PLOT.bottom + GAP}
          text-anchor="middle"
          dominant-baseline="hanging"
          {...(isHourly && { "data-hour": start })}
        >
          {label}
        </text>
      ))}
    </g>
  );
}
