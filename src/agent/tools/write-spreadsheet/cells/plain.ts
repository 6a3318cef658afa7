import type { SheetCell } from "./cell.ts";
import { isoText } from "./dates.ts";

/** The cell's value where there are no formats: a date as ISO 8601. */
export function plainValue(cell: SheetCell): string | number | boolean | null {
  switch (cell.kind) {
    case "empty":
      return null;
    case "text":
    case "link":
      return cell.text;
    case "date":
      return isoText(cell.at, cell.unit);
    case "number":
    case "boolean":
      return cell.value;
  }
}
