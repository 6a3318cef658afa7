import { call } from "../../support/model-server/behaviour.ts";
import { aList, aValue, parts, value } from "../expectation.ts";
import { only, sum } from "../harness/figures.ts";
import { AIRPORT, DEPARTURES, PARKING } from "../sites/airport.ts";
import { SOLANA, SOLANA_PLANTS } from "../sites/energy.ts";
import { BRANCHES, PHARMACY } from "../sites/pharmacy.ts";
import { ends, opens, step, type Task } from "../task.ts";

const PLANTS = ["Estrela", "Dos Rios"];
const CAPACITY = sum(
  SOLANA_PLANTS.filter(({ plant }) => PLANTS.includes(plant)).map(({ capacity }) => capacity),
);
const seatsOf = (wanted: string) =>
  sum(DEPARTURES.filter(({ status }) => status === wanted).map(({ seats }) => seats));
const ZONES = PARKING.filter(({ day }) => day < 30).map(({ zone }) => zone);
const RIVERSIDE = only(BRANCHES.filter(({ branch }) => branch === "Riverside")).revenue;

/** Tasks with inputs, messages while the model works, and questions. */
export const SHAPES: Task[] = [
  {
    id: "shape-inputs",
    prompt: `What is the total capacity of the plants that the inputs name? ${SOLANA}/plants`,
    inputs: { plants: PLANTS },
    want: value(CAPACITY),
    solution: [step(opens(`${SOLANA}/plants`)), ends(`Their total capacity is ${CAPACITY} MW.`)],
  },
  {
    id: "shape-message-adds",
    prompt: `How many seats are on the cancelled flights at ${AIRPORT}/departures?`,
    messages: ["And on the delayed ones? Tell me both numbers separately, in one sentence."],
    want: parts(aValue(seatsOf("Cancelled")), aValue(seatsOf("Delayed"))),
    solution: [
      step(opens(`${AIRPORT}/departures`)),
      ends(
        `The cancelled flights have ${seatsOf("Cancelled")} seats, the delayed ones ${seatsOf("Delayed")}.`,
      ),
    ],
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
