import { describe, expect, it } from "vitest";
import {
  BarChart,
  type ChartData,
} from "../../../../src/dashboard/components/charts/bar-chart.tsx";

const starts = ["2026-11-20T09:00:00.000Z", "2026-11-20T10:00:00.000Z"];
const data: ChartData = {
  bucket: "hour",
  starts,
  series: [
    { label: "Completed", look: "good", values: [3, 1_200] },
    { label: "Failed", look: "bad", values: [0, 2] },
  ],
};
const bars = (changes: Partial<ChartData> = {}) =>
  String(BarChart({ id: "runs", title: "Runs", data: { ...data, ...changes } }));
describe("a chart", () => {
  it("is an image with a name and a description in words", () => {
    const html = bars();
    expect(html).toContain('role="img" aria-labelledby="runs-title runs-says"');
    expect(html).toContain('<title id="runs-title">Runs</title>');
    expect(html).toContain(
      "Completed: 1,203, Failed: 2. The most in one hour was 1,202, on 20 Nov, 10:00 UTC.",
    );
  });

  it("has its figures as a table, all of them", () => {
    const cells = [...bars().matchAll(/<(t[hd])\b[^>]*>(.*?)<\/\1>/g)].map(([, , cell]) => cell);
    expect(cells.slice(0, 4)).toEqual(["Hour", "Completed", "Failed", "Total"]);
    expect(cells.slice(5, 8)).toEqual(["3", "0", "3"]);
    expect(cells.slice(9, 12)).toEqual(["1,200", "2", "1,202"]);
    expect(cells[8]).toContain('datetime="2026-11-20T10:00:00.000Z"');
  });

  it("says in its legend what each series adds up to", () => {
    expect(bars()).toMatch(/<li>.*?<\/svg>Completed <strong>1,203<\/strong><\/li>/);
  });

  it("says so where there is nothing", () => {
    const empty = data.series.map((one) => ({ ...one, values: [0, 0] }));
    expect(bars({ series: empty })).toContain("No data in this range.");
  });

  it("shows what comes from outside as text", () => {
    const label = '"><script>alert(1)</script>';
    const html = bars({ series: [{ label, look: "good", values: [1, 1] }] });
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;");
  });

  it("has neither styles of its own nor anything that is no number", () => {
    for (const html of [bars(), bars({ starts: [], series: [] })]) {
      expect(html).not.toMatch(/style=|NaN|Infinity|undefined|null/);
    }
  });
});
