import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BarChart,
  type ChartData,
  PLOT,
  segmentsAt,
} from "../../../../src/dashboard/components/bar-chart.tsx";

const starts = ["2026-11-20T09:00:00.000Z", "2026-11-20T10:00:00.000Z"];
const data: ChartData = {
  bucket: "hour",
  starts,
  series: [
    { label: "Completed", look: "good", values: [3, 1_200] },
    { label: "Failed", look: "bad", values: [0, 2] },
  ],
};
const hrefOf = (from: string, to: string) => `/list?${from},${to}`;
const bars = (changes: Partial<ChartData> = {}) =>
  String(BarChart({ id: "runs", title: "Runs", data: { ...data, ...changes }, hrefOf }));
describe("a chart", () => {
  it("links each bar and its table row to the counted items", () => {
    const list = "/list?2026-11-20T10:00:00,2026-11-20T11:00:00";
    expect(bars()).toContain(`<a href="${list}" tabindex="-1"`);
    expect(bars()).toContain(`<a href="${list}">`);
  });

  it("has a name and a description in words", () => {
    const html = bars();
    expect(html).toContain('aria-labelledby="runs-title runs-says"');
    expect(html).toContain('<title id="runs-title">Runs</title>');
    expect(html).toContain(
      "Completed: 1,203, Failed: 2. The most in one hour was 1,202, on 20 Nov, 10:00 UTC.",
    );
  });

  it("has a table of all its figures", () => {
    const cells = [...bars().matchAll(/<(t[hd])\b[^>]*>(.*?)<\/\1>/g)].map(([, , cell]) => cell);
    expect(cells.slice(0, 4)).toEqual(["Hour", "Completed", "Failed", "Total"]);
    expect(cells.slice(5, 8)).toEqual(["3", "0", "3"]);
    expect(cells.slice(9, 12)).toEqual(["1,200", "2", "1,202"]);
    expect(cells[8]).toContain('datetime="2026-11-20T10:00:00.000Z"');
  });

  it("has the total of each series in its legend", () => {
    expect(bars()).toMatch(/<li>.*?<\/svg>Completed <strong>1,203<\/strong><\/li>/);
  });

  it("has a note when it is empty", () => {
    const empty = data.series.map((one) => ({ ...one, values: [0, 0] }));
    expect(bars({ series: empty })).toContain("No data in this range.");
  });

  it("has no inline styles, and only numbers as coordinates", () => {
    for (const html of [bars(), bars({ starts: [], series: [] })]) {
      expect(html).not.toMatch(/style=|NaN|Infinity|undefined|null/);
    }
  });
});

/** Series over the same buckets: few or many, of nothing or of more than anybody counts. */
const figures = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5 }))
  .chain(([buckets, series]) => {
    const value = fc.oneof(fc.constant(0), fc.nat({ max: 50 }), fc.nat({ max: 10 ** 12 }));
    const one = fc.array(value, { minLength: buckets, maxLength: buckets });
    return fc.array(one, { minLength: series, maxLength: series });
  });

const LOOKS = ["good", "bad", "attention", "busy", "idle"] as const;

const dataOf = (values: number[][]): ChartData => ({
  bucket: "hour",
  starts: (values[0] ?? []).map((_, at) => new Date(at * 3_600_000).toISOString()),
  series: values.map((one, at) => ({
    label: `series ${at}`,
    look: LOOKS[at % LOOKS.length] ?? "good",
    values: one,
  })),
});

describe("stacked bars", () => {
  it("lie side by side within the plot, their segments stacked without gaps", () => {
    fc.assert(
      fc.property(figures, (values) => {
        const drawn = dataOf(values);
        let end = PLOT.left;
        for (const at of drawn.starts.keys()) {
          const segments = segmentsAt(drawn, at);
          expect(segments.length).toBe(values.filter((one) => one[at] !== 0).length);
          let below = PLOT.bottom;
          for (const { y, height } of segments) {
            expect(y + height).toBeCloseTo(below, 6);
            expect(height).toBeGreaterThanOrEqual(0);
            expect(y).toBeGreaterThanOrEqual(PLOT.top);
            below = y;
          }
          for (const { x, width } of segments.slice(0, 1)) {
            expect(x).toBeGreaterThanOrEqual(end);
            expect(width).toBeGreaterThan(1);
            end = x + width;
          }
        }
        expect(end).toBeLessThanOrEqual(PLOT.right);
      }),
    );
  });

  it("are proportional to the highest, which fills the plot", () => {
    const drawn = dataOf([
      [3, 0],
      [1, 1],
    ]);
    expect(segmentsAt(drawn, 0)).toMatchObject([
      { y: 48.5, height: 115.5 },
      { y: PLOT.top, height: 38.5 },
    ]);
    expect(segmentsAt(drawn, 1)).toMatchObject([{ y: 125.5, height: 38.5 }]);
    expect(segmentsAt(dataOf([[0, 0]]), 1)).toEqual([]);
  });
});

describe("the axis of time", () => {
  const labelsOf = (count: number) =>
    String(BarChart({ id: "x", title: "X", data: dataOf([Array(count).fill(1)]), hrefOf })).match(
      /data-hour="[^"]+">[^<]+/g,
    );

  it("labels the first bucket and as many others as fit, in UTC", () => {
    expect(labelsOf(24)?.map((label) => label.slice(-5))).toEqual([
      "00:00",
      "04:00",
      "08:00",
      "12:00",
      "16:00",
      "20:00",
    ]);
    for (const count of [1, 7, 30, 744]) expect(labelsOf(count)?.length).toBeLessThanOrEqual(6);
  });
});
