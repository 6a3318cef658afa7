import { call } from "../../support/model-server/behaviour.ts";
import { aList, parts, value } from "../expectation.ts";
import { only, sum } from "../harness/figures.ts";
import { AIRPORT, PARKING } from "../sites/airport.ts";
import { BOREAL, PLANTS } from "../sites/energy.ts";
import { BRANCHES, PHARMACY } from "../sites/pharmacy.ts";
import { ends, opens, step, type Task } from "../task.ts";

const NAMED = ["Cliff Edge", "Belle Dam"];
const CAPACITY = sum(
  PLANTS.filter(({ plant }) => NAMED.includes(plant)).map(({ capacity }) => capacity),
);
const ZONES = PARKING.filter(({ day }) => day < 30).map(({ zone }) => zone);
const RIVERSIDE = only(BRANCHES.filter(({ branch }) => branch === "Riverside")).revenue;

/** Tasks with inputs, messages while the model works, and questions. */
export const SHAPES: Task[] = [
  {
    id: "shape-inputs",
    prompt: `What is the total capacity of the plants that the inputs name? ${BOREAL}/plants`,
    inputs: { plants: NAMED },
    want: value(CAPACITY),
    solution: [step(opens(`${BOREAL}/plants`)), ends(`Their total capacity is ${CAPACITY} MW.`)],
  },
  {
    id: "shape-message-changes",
    prompt: `List the parking zones at ${AIRPORT}/parking that cost less than €12 a day.`,
    messages: ["Sorry, I meant less than €30."],
    want: parts(aList(ZONES)),
    solution: [
      step(opens(`${AIRPORT}/parking`)),
      step(call("emit_output", { label: "Zones", type: "json", value: ZONES, sources: ["page"] })),
      ends("Four zones cost less than €30 a day."),
    ],
  },
  {
    id: "shape-question",
    prompt: `How much revenue did my branch make in May? ${PHARMACY}/branches Ask me which branch is mine.`,
    interactive: true,
    replies: ["Riverside"],
    want: value(RIVERSIDE),
    solution: [
      step(call("ask_user", { question: "Which branch is yours?" })),
      step(opens(`${PHARMACY}/branches`)),
      ends(`Riverside made €${RIVERSIDE.toLocaleString("en")} in May.`),
    ],
  },
];
