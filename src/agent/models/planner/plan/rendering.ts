import type { Sentence } from "../language/reading.ts";
import { type Taken, without } from "./taken.ts";

/** How pages are opened where a plain request is not enough. */
export interface Rendering {
  /** Whether a real browser is to run each page's JavaScript. */
  always: boolean;
  screenshot: "none" | "view" | "page";
}

const AND = String.raw`(?:(?:^|,|\b(?:and|then|please|also))\s*){0,3}`;
const SHOT = new RegExp(
  String.raw`${AND}(?:\b(?:take|make|capture|grab|get|give me|show me|send me|create|produce|save|snap|i want|i need)\s+(?:me\s+)?)?(?:\b(?:an?|the|one)\s+)?\b(full[- ]?page\s+|full\s+|whole[- ]page\s+)?(?:screen ?shots?|screen ?grabs?|screen ?captures?)(?:\s+(of|from|at|for)\b(\s+the\s+(?:whole|full|entire)\s+page)?)?|\bscreen ?shot\s+(?=url\d)`,
  "i",
);
const RENDER = new RegExp(
  String.raw`${AND}(?:\b(?:open(?:ing)?|load(?:ing)?|render(?:ing)?|use|using|read(?:ing)?|fetch(?:ing)?|get|view)\s+(?:it|them|this|that|these|the (?:pages?|sites?))?\s*)?(?:\b(?:with|in|using|through|via|by)\s+)?(?:\ban?|\bthe)?\s*(?:\b(?:real|full|headless|proper|actual)\s+(?:web\s+)?browser|\b(?:with|in|using|through|via)\s+(?:an?|the|my|your)\s+(?:web\s+)?browser\b|\bjavascript (?:enabled|on|turned on|running)|\bjavascript rendering)|${AND}\b(?:render(?:ing)?\s+(?:it|them|this|that|the (?:pages?|sites?)|its javascript|(?=url\d))(?:\s+(?:first|fully|in a browser|with a browser))?)|${AND}\b(?:with|run(?:ning)?|execut(?:e|ing)|let)\s+(?:its|the|the page'?s?|their)?\s*javascript(?:\s+(?:run|enabled|on|turned on|first))?|${AND}\bwait(?:ing)?\s+(?:for|until)\s+(?:the|its)\s+javascript(?:\s+(?:has|is|to)\s+(?:run|done|finished|loaded?))?`,
  "i",
);

/** Takes out how the pages are to be opened. */
export function takeRendering(sentences: readonly Sentence[]): Taken<Rendering | null> {
  let order: Rendering | null = null;
  const left = sentences.flatMap((sentence) => {
    if (/blk\d+_/.test(sentence.raw) && !/url\d+_/.test(sentence.raw)) return [sentence];
    let raw = sentence.raw;
    const shot = SHOT.exec(raw);
    if (shot !== null) {
      const full = shot[1] !== undefined || shot[3] !== undefined;
      order = { always: order?.always ?? false, screenshot: full ? "page" : "view" };
      raw = raw.replace(shot[0], shot[2] === undefined ? " , " : " of ");
    }
    const render = RENDER.exec(raw);
    if (render !== null) {
      order = { screenshot: order?.screenshot ?? "none", always: true };
      raw = raw.replace(render[0], /\brender\w*\s*$/i.test(render[0]) ? " open " : " ");
    }
    return raw === sentence.raw ? [sentence] : without(sentence, raw);
  });
  return { sentences: left, order };
}
