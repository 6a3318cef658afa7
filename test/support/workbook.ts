import { inflateRawSync } from "node:zlib";
import { parseDocument } from "htmlparser2";

/** A cell as it stands in the file. */
export interface ReadCell {
  type: "text" | "number" | "boolean";
  value: string | number | boolean;
  /** The number format's code; absent when general. */
  format?: string;
  bold?: true;
  link?: string;
}

export interface ReadSheet {
  name: string;
  /** By row and column; null where the file has no value. */
  rows: (ReadCell | null)[][];
}

/** An element of XML, as far as it is needed here. */
interface Xml {
  name: string;
  attributes: Record<string, string>;
  children: Xml[];
  text: string;
}

/** Reads a workbook with code that has nothing in common with what wrote it. */
export function readWorkbook(bytes: Uint8Array): ReadSheet[] {
  const files = unzip(bytes);
  const part = (path: string): Xml => {
    const file = files.get(path);
    if (file === undefined) throw new Error(`the workbook has no ${path}`);
    return parseXml(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file));
  };
  const targets = relations(part("xl/_rels/workbook.xml.rels"));
  const strings = files.has("xl/sharedStrings.xml")
    ? all(part("xl/sharedStrings.xml"), "t").map(({ text }) => unescaped(text))
    : [];
  const styles = stylesOf(part("xl/styles.xml"));
  return all(part("xl/workbook.xml"), "sheet").map(({ attributes }) => {
    const path = `xl/${targets.get(attributes["r:id"] ?? "")}`;
    const links = path.replace("worksheets/", "worksheets/_rels/").concat(".rels");
    const relation = files.has(links) ? relations(part(links)) : new Map<string, string>();
    const rows = readSheet(part(path), strings, styles, relation);
    return { name: attributes.name ?? "", rows };
  });
}

type Style = Pick<ReadCell, "format" | "bold">;

function readSheet(
  sheet: Xml,
  strings: string[],
  styles: Style[],
  relation: Map<string, string>,
): ReadSheet["rows"] {
  const links = new Map(
    all(sheet, "hyperlink").map(({ attributes }) => [
      attributes.ref ?? "",
      relation.get(attributes["r:id"] ?? "") ?? "",
    ]),
  );
  const rows: (ReadCell | null)[][] = [];
  for (const row of all(sheet, "row")) {
    const index = Number(row.attributes.r) - 1;
    while (rows.length <= index) rows.push([]);
    for (const cell of all(row, "c")) {
      const reference = cell.attributes.r ?? "";
      const column = columnOf(reference);
      const target = rows[index] ?? [];
      while (target.length <= column) target.push(null);
      const link = links.get(reference);
      const read = readCell(cell, strings, styles);
      target[column] = read === null || link === undefined ? read : { ...read, link };
    }
  }
  return rows;
}

function readCell(cell: Xml, strings: string[], styles: Style[]): ReadCell | null {
  const style = styles[Number(cell.attributes.s ?? 0)] ?? {};
  if (cell.attributes.t === "inlineStr") {
    const texts = all(cell, "t").map(({ text }) => unescaped(text));
    return { type: "text", value: texts.join(""), ...style };
  }
  const value = cell.children.find(({ name }) => name === "v")?.text;
  if (value === undefined) return null;
  switch (cell.attributes.t ?? "n") {
    case "s":
      return { type: "text", value: strings[Number(value)] ?? "", ...style };
    case "b":
      return { type: "boolean", value: value === "1", ...style };
    case "n":
      return { type: "number", value: Number(value), ...style };
    default:
      throw new Error(`a cell of type ${cell.attributes.t}`);
  }
}

function stylesOf(styles: Xml): Style[] {
  const formats = new Map(
    all(styles, "numFmt").map(({ attributes }) => [
      attributes.numFmtId,
      attributes.formatCode ?? "",
    ]),
  );
  const fonts = inside(styles, "fonts").map((font) => all(font, "b").length > 0);
  return inside(styles, "cellXfs").map(({ attributes }) => {
    const id = attributes.numFmtId ?? "0";
    const format = formats.get(id) ?? (id === "0" ? undefined : BUILT_IN[id]);
    return {
      ...(format === undefined ? {} : { format }),
      ...(fonts[Number(attributes.fontId)] ? { bold: true as const } : {}),
    };
  });
}

/** Formats that are known by number (ECMA-376 part 1, §18.8.30). */
const BUILT_IN: Record<string, string> = {
  "1": "0",
  "2": "0.00",
  "3": "#,##0",
  "4": "#,##0.00",
  "9": "0%",
  "10": "0.00%",
  "49": "@",
};

function relations(xml: Xml): Map<string, string> {
  return new Map(
    all(xml, "Relationship").map(({ attributes }) => [
      attributes.Id ?? "",
      attributes.Target ?? "",
    ]),
  );
}

/** `_x0041_` stands for "A" (ECMA-376 part 1, §22.9.2.19). */
function unescaped(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function columnOf(reference: string): number {
  const letters = /^[A-Z]+/.exec(reference)?.[0] ?? "";
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function all(xml: Xml, name: string): Xml[] {
  const below = xml.children.flatMap((child) => all(child, name));
  return xml.name === name ? [xml, ...below] : below;
}

function inside(xml: Xml, name: string): Xml[] {
  return all(xml, name)[0]?.children ?? [];
}

/** XML 1.0 §2.2: what no document may hold. */
const FORBIDDEN = /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]/u;

function parseXml(text: string): Xml {
  if (FORBIDDEN.test(text)) throw new Error("the XML holds a character that it may not");
  const root = parseDocument(text, { xmlMode: true });
  return toXml({ name: "", attribs: {}, children: root.children });
}

type Parsed = ReturnType<typeof parseDocument>["children"][number];

function toXml(node: {
  name: string;
  attribs: Record<string, string>;
  children: readonly Parsed[];
}): Xml {
  const text = node.children.map((child) => (child.type === "text" ? child.data : "")).join("");
  const children = node.children.flatMap((child) => (child.type === "tag" ? [toXml(child)] : []));
  return { name: node.name, attributes: node.attribs, children, text };
}

const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;

/** The files of a zip archive by their path (APPNOTE.TXT, §4.3). */
function unzip(bytes: Uint8Array): Map<string, Uint8Array> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || buffer.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error("no zip archive");
  const files = new Map<string, Uint8Array>();
  let at = buffer.readUInt32LE(end + 16);
  while (buffer.readUInt32LE(at) === CENTRAL_HEADER) {
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((to) =>
      buffer.readUInt16LE(at + to),
    ) as [number, number, number];
    const name = buffer.toString("utf8", at + 46, at + 46 + nameSize);
    const local = buffer.readUInt32LE(at + 42);
    const start = local + 30 + buffer.readUInt16LE(local + 26) + buffer.readUInt16LE(local + 28);
    const data = buffer.subarray(start, start + buffer.readUInt32LE(at + 20));
    files.set(name, buffer.readUInt16LE(at + 10) === 8 ? inflateRawSync(data) : data);
    at += 46 + nameSize + extraSize + commentSize;
  }
  return files;
}
