import { expect, it } from "vitest";
import { withText } from "../../../src/dashboard/live-text.ts";

it("brings a text between the changes of a page, and ends with them", async () => {
  let say: (text: string) => void = () => {};
  let isOver = false;
  const changes = new TransformStream<Uint8Array, Uint8Array>();
  const writer = changes.writable.getWriter();
  const response = withText(new Response(changes.readable), async (onText, signal) => {
    say = onText;
    signal.addEventListener("abort", () => {
      isOver = true;
    });
  });
  const text = response.text();
  say("First\nline");
  await writer.write(new TextEncoder().encode("event: changed\ndata: 2\n\n"));
  await writer.close();
  expect(await text).toBe('event: text\ndata: "First\\nline"\n\nevent: changed\ndata: 2\n\n');
  expect(isOver).toBe(true);
  say("Too late.");
});
