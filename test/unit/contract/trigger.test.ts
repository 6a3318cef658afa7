import { expect, it } from "vitest";
import { forkBody, messageBody, triggerBody } from "../../../src/contract/trigger.ts";

it.each(["", " \n\t"])("no prompt, message or continuation has only blanks: %j", (text) => {
  const bodies = [
    triggerBody.safeParse({ prompt: text }),
    messageBody.safeParse({ message: text }),
    forkBody.safeParse({ message: text }),
  ];
  expect(bodies.map(({ success }) => success)).toEqual([false, false, false]);
});
