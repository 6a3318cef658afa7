/** The first two lines of a Markdown table. */
export function tableHead(columns: string[]): string[] {
  return [tableLine(columns), tableLine(columns.map(() => "---"))];
}

/** One line of a Markdown table. A pipe or a line break in a cell would end it, so neither stays. */
export function tableLine(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
}
