import { expect, it } from "vitest";
import { liveText } from "../../../src/agent/thoughts.ts";

const shown = (...pieces: string[]) => pieces.map(liveText());

it.each([
  [
    ["The ", "answer."],
    ["The ", "answer."],
  ],
  [
    ["<thi", "nk>Hm", ".</thi", "nk>", "\n\nYes", "."],
    ["", "", "", "", "Yes", "."],
  ],
  [["<thinking>Hm.</thinking> Yes."], ["Yes."]],
  [
    ["<", "b>bold"],
    ["", "<b>bold"],
  ],
  [["Write <think> first."], ["Write <think> first."]],
  [
    ["  ", "Yes"],
    ["", "  Yes"],
  ],
])("shows of a streamed %j: %j", (pieces, expected) => {
  expect(shown(...pieces)).toEqual(expected);
});
