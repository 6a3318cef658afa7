import { call } from "../../support/model-server/behaviour.ts";
import { data, value } from "../expectation.ts";
import { most, sum } from "../harness/figures.ts";
import { APIARY, HARVEST_2024, HARVEST_2025 } from "../sites/apiary.ts";
import { JOBS, STATUS } from "../sites/datacentre.ts";
import { BOREAL, PLANTS } from "../sites/energy.ts";
import { PHARMACY, STOCK } from "../sites/pharmacy.ts";
import { ends, NUMBER, opens, schemaOf, step, type Task, TEXT, TEXTS } from "../task.ts";

const factor = ({ output, capacity }: { output: number; capacity: number }) =>
  (100 * output) / (capacity * 8.76);
const BUSIEST = most(PLANTS, factor);
const FACTOR_DATA = { plant: BUSIEST.plant, percent: Math.round(factor(BUSIEST) * 10) / 10 };

const GROWTH = HARVEST_2024.flatMap(({ yard, spring, summer }) =>
  HARVEST_2025.filter((later) => later.yard === yard).map((later) => ({
    yard,
    kilograms: later.spring + later.summer - spring - summer,
  })),
);
const GROWN = most(GROWTH, ({ kilograms }) => kilograms);

const STOCK_VALUE = sum(STOCK.map(({ price, units }) => price * units));

const FAILED = JOBS.filter(({ result }) => result === "failed");
const JOB_DATA = {
  leads: FAILED.map(({ team }) => team.lead),
  minutes: sum(FAILED.map(({ seconds }) => seconds)) / 60,
};

/** Tasks that need arithmetic: over columns that do not exist, several pages, or untidy data. */
export const FIGURES: Task[] = [
  {
    id: "figure-ratio",
    prompt: `The capacity factor of a plant is its yearly output divided by what it would give if it ran at full capacity for all 8,760 hours of a year. Which plant at ${BOREAL}/plants has the highest one, in percent with one decimal?`,
    outputSchema: schemaOf({ plant: TEXT, percent: NUMBER }),
    want: data(FACTOR_DATA),
    solution: [
      step(opens(`${BOREAL}/plants`)),
      step(
        call("run_code", {
          code: `const [page] = answers;
const plants = page.tables[0].rows.map(([plant, , mw, gwh]) => ({ plant, percent: 100 * Number(gwh.replace(",", "")) / (Number(mw) * 8.76) }));
return plants.sort((a, b) => b.percent - a.percent)[0];`,
          from: ["page"],
        }),
      ),
      ends("Belle Dam has the highest capacity factor.", FACTOR_DATA),
    ],
  },
  {
    id: "figure-growth",
    prompt: `Compare ${APIARY}/harvest/2024 with ${APIARY}/harvest/2025: which yard's whole harvest (spring and summer) grew the most, and by how many kilograms? Leave out yards that are in one year only.`,
    outputSchema: schemaOf({ yard: TEXT, kilograms: NUMBER }),
    want: data(GROWN),
    solution: [
      step(opens(`${APIARY}/harvest/2024`, "before"), opens(`${APIARY}/harvest/2025`, "after")),
      ends("The harvest of Heath grew the most.", GROWN),
    ],
  },
  {
    id: "figure-untidy",
    prompt: `What is everything in stock at ${PHARMACY}/stock worth together (price times units)? All prices are in euros, though they are written in several ways. Answer with the amount alone.`,
    want: value(STOCK_VALUE),
    solution: [step(opens(`${PHARMACY}/stock`)), ends(`€${STOCK_VALUE.toFixed(2)}`)],
  },
  {
    id: "figure-nested",
    prompt: `Some jobs at ${STATUS}/api/jobs failed. Who leads their teams, in the order of the list, and how many minutes did these jobs run together?`,
    outputSchema: schemaOf({ leads: TEXTS, minutes: NUMBER }),
    want: data(JOB_DATA),
    solution: [step(opens(`${STATUS}/api/jobs`)), ends("Two jobs failed.", JOB_DATA)],
  },
];
