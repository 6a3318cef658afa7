import type { Command } from "../command.ts";
import { EXIT } from "../exit.ts";
import { countOf } from "../text.ts";

export const credits: Command = {
  name: "credits",
  summary: "Tells the balance",
  args: [],
  options: {},
  async run({ client, output, signal }) {
    output.say(
      await client.credits({ signal }),
      ({ availableCredits, reservedCredits, consumedCredits }) =>
        `${countOf(availableCredits, "credit")} available, ${reservedCredits} held, ${consumedCredits} used`,
    );
    return EXIT.done;
  },
};
