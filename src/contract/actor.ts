import * as z from "zod";
import { oneOf, open } from "./fields.ts";

/** Who made a change or a decision. */
export const by = open({
  kind: oneOf("key", "member", "link", "operator", "agent", "system").describe("What acted."),
  id: z.string().describe("The id of the key or the member."),
  name: z.string().describe("Its name when it acted."),
}).meta({ id: "By", description: "Who made a change or a decision." });
export type By = z.infer<typeof by>;

/** Who acts, and in which request. */
export interface Actor {
  by: By;
  requestId: string;
}

/** The holders of the operators' token. */
export const OPERATORS: By = { kind: "operator", id: "operators", name: "Operators" };

/** The service itself. */
export const SYSTEM: Actor = {
  by: { kind: "system", id: "system", name: "Prompthook" },
  requestId: "",
};
