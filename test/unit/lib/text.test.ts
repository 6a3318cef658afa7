import { expect, it } from "vitest";
import { cutNote, withNote } from "../../../src/lib/text.ts";

it("names at most three cut sources", () => {
  expect(cutNote([])).toBeNull();
  expect(cutNote(["2 MiB"])).toBe(
    "Note: based on a source that was cut at 2 MiB; figures may be incomplete.",
  );
  expect(cutNote(["2 MiB", "400000 cells", "3 of 9 rows", "x"])).toBe(
    "Note: based on sources that were cut at 2 MiB, at 400000 cells, and at 3 of 9 rows; figures may be incomplete.",
  );
});

it.each([
  ["text/plain", "a\n", "a\n\nNote."],
  ["text/markdown", "# a", "# a\n\nNote."],
  ["text/csv", "a\r\n1\r\n", "a\r\n1\r\n# Note."],
  ["application/json", "{}", "{}"],
  ["text/html", "<p>a", "<p>a"],
])("is added to a file of the type %s", (mediaType, text, noted) => {
  expect(withNote(text, mediaType, "Note.")).toBe(noted);
  expect(withNote(text, mediaType, null)).toBe(text);
});
