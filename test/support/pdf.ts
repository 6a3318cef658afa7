/** Makes a PDF file with these texts, one on each page, in a font that readers know. */
export function pdfOf(...pages: string[]): Uint8Array<ArrayBuffer> {
  const streams = pages.map((text) => {
    const literal = text.replace(/[\\()]/g, "\\$&");
    return stream("", `BT /F1 12 Tf 72 720 Td (${literal}) Tj ET`);
  });
  return pdfOfStreams(...streams);
}

/** Makes a PDF file whose only page has, of `megabytes` of spaces, about one and a half percent. */
export function pdfBomb(megabytes: number): Uint8Array<ArrayBuffer> {
  // A length of 129 repeats the byte behind it 128 times.
  const packed = "\x81 ".repeat((megabytes * 1_024 * 1_024) / 128);
  return pdfOfStreams(stream("/Filter /RunLengthDecode", packed));
}

const stream = (entries: string, data: string) =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`;

/** Makes a PDF file of pages with these contents; `latin1` keeps each character a byte. */
function pdfOfStreams(...contents: string[]): Uint8Array<ArrayBuffer> {
  const FIRST = 4;
  const ids = contents.map((_, at) => FIRST + 2 * at);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${ids.length} /Kids [${ids.map((id) => `${id} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...contents.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${FIRST + 2 * at + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      content,
    ]),
  ];
  let text = "%PDF-1.7\n";
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join("")}`;
  text += `${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, "latin1"));
}
