import { describe, expect, it } from "vitest";
import { write } from "./write.ts";

describe("a CSV file", () => {
  const contentOf = async (raw: object) => {
    const { output, answer } = await write({ format: "csv", filename: "a", ...raw });
    expect(answer.ok).toBe(true);
    expect(output).toMatchObject({ mediaType: "text/csv", nodeType: "SPREADSHEET", type: "file" });
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(output?.bytes);
  };

  it("keeps what is written, and runs nothing as a formula", async () => {
    const content = await contentOf({
      columns: [{ name: "=a" }, { name: "b" }],
      rows: [
        ["=1+1", "00123"],
        ["@SUM(A1)", "$1,200"],
        [-5, '-2+3+cmd|" /C calc"!A0'],
        ["+1", "a\tb"],
      ],
    });
    expect(content).toBe(
      `"'=a",b\r\n"'=1+1",00123\r\n"'@SUM(A1)","$1,200"\r\n-5,"'-2+3+cmd|"" /C calc""!A0"\r\n"'+1",a\tb`,
    );
  });

  it("begins with a byte order mark when Excel needs one to read it", async () => {
    expect(await contentOf({ columns: [{ name: "a" }], rows: [["é €"]] })).toBe("\ufeffa\r\né €");
    expect(await contentOf({ columns: [{ name: "a" }], rows: [["plain"]] })).toBe("a\r\nplain");
  });

  it("says in a comment that the source of its rows was cut", async () => {
    expect(await contentOf({ from: "cut" })).toBe(
      "a\r\n1\r\n# Note: based on a source that was cut at 1 of 9 rows; figures may be incomplete.",
    );
  });

  it("is made from an earlier call", async () => {
    const columns = [{ name: "Stock" }, { name: "Item Name", header: "Tea" }];
    expect(await contentOf({ from: "data", columns })).toBe(`Stock,Tea\r\n3,Mint\r\n,"'=cmd()"`);
  });
});
