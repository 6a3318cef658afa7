import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChartData,
  type Look,
  PLOT,
  stackedBars,
  timeAxis,
  valueAxis,
} from "../../../../src/dashboard/components/charts/bar-chart.tsx";

const HOUR_MS = 3_600_000;
const LOOKS: Look[] = ["good", "bad", "attention", "busy", "idle"];

const startsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => new Date(at * HOUR_MS).toISOString());

function dataOf(values: number[][]): ChartData {
  const series = values.map((one, at) => ({
    label: `series ${at}`,
    look: LOOKS[at % LOOKS.length] ?? "good",
    values: one,
  }));
  return { bucket: "hour", starts: startsOf(values[0]?.length ?? 0), series };
}

/** Series over the same buckets: few or many, of nothing or of more than anybody counts. */
const figures = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5 }))
  .chain(([buckets, series]) => {
    const value = fc.oneof(fc.constant(0), fc.nat({ max: 50 }), fc.nat({ max: 10 ** 12 }));
    const one = fc.array(value, { minLength: buckets, maxLength: buckets });
    return fc.array(one, { minLength: series, maxLength: series });
  });

describe("stacked bars", () => {
  it("are as high together as the total of their bucket, one upon the other without gaps", () => {
    fc.assert(
      fc.property(figures, (values) => {
        const { bars, values: axis } = stackedBars(dataOf(values));
        for (const { at, segments } of bars) {
          const total = values.reduce((sum, one) => sum + (one[at] ?? 0), 0);
          const height = segments.reduce((sum, segment) => sum + segment.height, 0);
          expect(height).toBeCloseTo(PLOT.bottom - axis.y(total), 6);
          let below: number = PLOT.bottom;
          for (const { y, height } of segments) {
            expect(y + height).toBeCloseTo(below, 6);
            below = y;
          }
          expect(segments.length).toBe(values.filter((one) => one[at] !== 0).length);
        }
      }),
    );
  });

  it("lie within their plot, beside each other, and are numbers", () => {
    fc.assert(
      fc.property(figures, (values) => {
        const { bars, values: axis } = stackedBars(dataOf(values));
        let end = axis.left;
        for (const segment of bars.flatMap(({ segments }) => segments.slice(0, 1))) {
          expect(segment.x).toBeGreaterThanOrEqual(end - 0.1);
          expect(segment.width).toBeGreaterThan(1);
          end = segment.x + segment.width;
        }
        expect(end).toBeLessThanOrEqual(PLOT.right + 0.1);
        for (const { x, y, width, height } of bars.flatMap(({ segments }) => segments)) {
          for (const number of [x, y, width, height]) expect(number).toBeGreaterThanOrEqual(0);
          expect(y).toBeGreaterThanOrEqual(PLOT.top);
        }
      }),
    );
  });

  it("are none where there is nothing, and one for one bucket", () => {
    expect(stackedBars(dataOf([[]])).bars).toEqual([]);
    expect(stackedBars(dataOf([[0, 0]])).bars.map(({ segments }) => segments)).toEqual([[], []]);
    const [bar] = stackedBars(dataOf([[3]])).bars;
    expect(bar?.segments).toMatchObject([{ y: PLOT.top, height: PLOT.bottom - PLOT.top }]);
  });
});

describe("the axis of values", () => {
  it.each([
    [0, ["0", "1"]],
    [1, ["0", "1"]],
    [3, ["0", "1", "2", "3"]],
    [7, ["0", "2", "4", "6", "8"]],
    [42, ["0", "10", "20", "30", "40", "50"]],
    [1_400, ["0", "500", "1K", "1.5K"]],
    [3_000_000, ["0", "1M", "2M", "3M"]],
  ])("marks counts up to %d at round, whole numbers", (most, labels) => {
    const { ticks } = valueAxis(most);
    expect(ticks.map(({ label }) => label)).toEqual(labels);
  });

  it("reaches from the bottom, for zero, at least up to the most, in few ticks", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (most) => {
        const { y, ticks, left } = valueAxis(most);
        expect(y(0)).toBe(PLOT.bottom);
        expect(y(most)).toBeGreaterThanOrEqual(PLOT.top);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(9);
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
        expect(left).toBeLessThan(PLOT.right / 2);
      }),
    );
  });
});

describe("the axis of time", () => {
  it("names a few buckets, always the first, in UTC", () => {
    const { ticks } = timeAxis(startsOf(24), "hour", 40);
    expect(ticks.map(({ label }) => label)).toEqual([
      "00:00",
      "04:00",
      "08:00",
      "12:00",
      "16:00",
      "20:00",
    ]);
    const days = ["2026-10-31T00:00:00.000Z", "2026-11-01T00:00:00.000Z"];
    expect(timeAxis(days, "day", 40).ticks.map(({ label }) => label)).toEqual(["31 Oct", "1 Nov"]);
  });

  it("names the same hours and days whatever zone the service runs in", () => {
    const zone = process.env.TZ;
    try {
      for (const other of ["Pacific/Kiritimati", "America/St_Johns", "UTC"]) {
        process.env.TZ = other;
        expect(timeAxis(["2026-03-29T23:00:00.000Z"], "hour", 40).ticks[0]?.label).toBe("23:00");
        expect(timeAxis(["2026-03-29T00:00:00.000Z"], "day", 40).ticks[0]?.label).toBe("29 Mar");
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it("names no more than fit, however many buckets there are", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 744 }), (count) => {
        const { ticks } = timeAxis(startsOf(count), "hour", 40);
        expect(ticks.length).toBeGreaterThanOrEqual(1);
        expect(ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });
});
