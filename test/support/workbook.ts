import { readXlsx } from "hucre/xlsx";

/** A cell as a spreadsheet program shows it. */
export interface ReadCell {
  value: string | number | boolean | Date;
  /** The number format's code; absent when general. */
  format?: string;
  bold?: true;
  link?: string;
}

export interface ReadSheet {
  name: string;
  /** By row and column up to the last value of each row; null where the file has no value. */
  rows: (ReadCell | null)[][];
}

/** Reads a workbook. */
export async function readWorkbook(bytes: Uint8Array): Promise<ReadSheet[]> {
  const { sheets } = await readXlsx(bytes, { readStyles: true });
  return sheets.map(({ name, rows, cells }) => ({
    name,
    rows: rows.map((row, at) => {
      const read = row.map((value, column): ReadCell | null => {
        if (value === null || value === "") return null;
        const { style, hyperlink } = cells?.get(`${at},${column}`) ?? {};
        return {
          value,
          ...(style?.numFmt !== undefined && { format: style.numFmt }),
          ...(style?.font?.bold && { bold: true }),
          ...(hyperlink && { link: hyperlink.target }),
        };
      });
      return read.slice(0, read.findLastIndex((cell) => cell !== null) + 1);
    }),
  }));
}
