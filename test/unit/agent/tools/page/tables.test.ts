import { describe, expect, it } from "vitest";
import { read } from "./read.ts";

const tableOf = (html: string) => read(html).tables[0];

describe("tables", () => {
  it("take their columns from the thead", () => {
    const html = `<table><thead><tr><td>Name</td><td>Price</td></tr></thead>
      <tbody><tr><td>Tea</td><td>$3</td></tr></tbody><tfoot><tr><td>All</td><td>$9</td></tr></table>`;
    expect(tableOf(html)).toEqual({
      caption: null,
      columns: ["Name", "Price"],
      rows: [
        ["Tea", "$3"],
        ["All", "$9"],
      ],
    });
  });

  it.each([
    ["a first row of th", "<tr><th>A<th>B<tr><td>1<td>2"],
    ["a first row of th with an empty corner", "<tr><td><th>B<tr><th>1<td>2"],
  ])("take their columns from %s", (_name, rows) => {
    expect(tableOf(`<table>${rows}</table>`)).toMatchObject({
      columns: [expect.stringMatching(/^(A|Column 1)$/), "B"],
      rows: [["1", "2"]],
    });
  });

  it("number their columns when nothing names them", () => {
    expect(tableOf("<table><tr><td>a<td>1<tr><td>b<td>2</table>")).toMatchObject({
      columns: ["Column 1", "Column 2"],
      rows: [
        ["a", "1"],
        ["b", "2"],
      ],
    });
  });

  it("with row headers only keep every row", () => {
    expect(tableOf("<table><tr><th>Area<td>5<tr><th>People<td>7</table>")?.rows).toEqual([
      ["Area", "5"],
      ["People", "7"],
    ]);
  });

  it("name each column once, from all header rows above it", () => {
    const html = `<table><thead><tr><th rowspan=2>Item<th colspan=2>Price<th>Price 1
      <tr><th>1<th>1<th></thead><tr><td>a<td>b<td>c<td>d</table>`;
    expect(tableOf(html)?.columns).toEqual(["Item", "Price 1", "Price 1 2", "Price 1 3"]);
  });

  it("expand spans", () => {
    const html = `<table><tr><th>A<th>B<th>C<tr><td rowspan=2>x<td colspan=2>y<tr><td>1<td>2
      <tr><td colspan=0>z<tr><td>short</table>`;
    expect(tableOf(html)?.rows).toEqual([
      ["x", "y", "y"],
      ["x", "1", "2"],
      ["z", "", ""],
      ["short", "", ""],
    ]);
  });

  it("limit spans to their section", () => {
    const html = `<table><thead><tr><th rowspan=9>A<th>B</thead>
      <tbody><tr><td rowspan=0>1<td>2<tr><td>3</tbody><tbody><tr><td>4<td>5</table>`;
    expect(tableOf(html)).toMatchObject({
      columns: ["A", "B"],
      rows: [
        ["1", "2"],
        ["1", "3"],
        ["4", "5"],
      ],
    });
  });

  it("take their caption from a caption, a title row or the heading before them", () => {
    const row = "<tr><th>A<th>B<tr><td>1<td>2";
    const html = `<h2>Near</h2><table><caption>Own</caption>${row}</table><table>${row}</table>
      <table><tr><td colspan=2>Title${row}</table>`;
    expect(read(html).tables.map(({ caption }) => caption)).toEqual(["Own", "Near", "Title"]);
    expect(read(html).tables[2]).toMatchObject({ columns: ["A", "B"], rows: [["1", "2"]] });
  });

  it("inside others are listed once, without repeated text", () => {
    const inner = "<table><tr><th>I<tr><td>inner</table>";
    const layout = read(`<table><tr><td>menu</td><td>${inner}</td></tr></table>`);
    expect(layout.tables).toMatchObject([{ columns: ["I"] }]);
    const data = read(`<table><tr><th>O<th>P<tr><td>outer<td>${inner}</table>`);
    expect(data.tables.map(({ rows }) => rows)).toEqual([[["outer", ""]], [["inner"]]]);
    expect(data.text.match(/inner/g)).toHaveLength(1);
  });

  it("for layout are not listed", () => {
    const html = `<table role="presentation"><tr><td>a<td>b<tr><td>c<td>d</table>
      <table><tr><td>a<td>b</table><table></table>`;
    expect(read(html).tables).toEqual([]);
  });

  it("survive missing and misplaced tags", () => {
    const html = "<table><th>A<th>B<tr><td><b>1<td>2<tr><td><i>3<td>4<tr><td>5</table><p>x";
    expect(tableOf(html)).toMatchObject({ columns: ["A", "B"] });
    expect(tableOf(html)?.rows).toEqual([
      ["1", "2"],
      ["3", "4"],
      ["5", ""],
    ]);
  });
});
