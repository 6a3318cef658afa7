import { data, value } from "../expectation.ts";
import { only } from "../harness/figures.ts";
import { AIRPORT, LOUNGES } from "../sites/airport.ts";
import { STATUS } from "../sites/datacentre.ts";
import { FILMFEST, JURY } from "../sites/filmfest.ts";
import { METEO } from "../sites/meteo.ts";
import { HOURS, MUSEUM, PIECES } from "../sites/museum.ts";
import { ends, NUMBER, opens, schemaOf, step, type Task, TEXT } from "../task.ts";

const HERON = only(PIECES.filter(({ title }) => title === "Heron"));
const HERON_DATA = { gallery: HERON.gallery, insuredEuros: HERON.value };
const [, , THURSDAY_CLOSES] = only(HOURS.filter(([day]) => day === "Thursday"));
const DIRECTORS = JURY.filter(({ job }) => job === "director").map(({ name, country }) => ({
  name,
  country,
}));
const EARLY_WITH_SHOWERS = only(
  LOUNGES.filter(({ showers, opens }) => showers === "yes" && opens < "05:00"),
).name;

/** Tasks that one page answers. */
export const READING: Task[] = [
  {
    id: "read-row",
    prompt: `In which gallery of the museum is the piece called Heron, and for how much is it insured? ${MUSEUM}/collection`,
    outputSchema: schemaOf({ gallery: TEXT, insuredEuros: NUMBER }),
    want: data(HERON_DATA),
    solution: [step(opens(`${MUSEUM}/collection`)), ends("It is in the Courtyard.", HERON_DATA)],
  },
  {
    id: "read-hours",
    prompt: `Until when can I stay in the museum on a Thursday? ${MUSEUM}/visit`,
    outputSchema: schemaOf({ closes: { ...TEXT, description: "As HH:MM." } }),
    want: data({ closes: THURSDAY_CLOSES }),
    solution: [
      step(opens(`${MUSEUM}/visit`)),
      ends("The museum closes at 20:00.", { closes: THURSDAY_CLOSES }),
    ],
  },
  {
    id: "read-definition",
    prompt: `Quote how the glossary at ${METEO}/glossary explains the dew point. One sentence is enough.`,
    want: value("The temperature at which vapour condenses"),
    solution: [
      step(opens(`${METEO}/glossary`)),
      ends("The dew point is: “The temperature at which vapour condenses.”"),
    ],
  },
  {
    id: "read-list",
    prompt: `Who on the jury is a director, and from which country? Keep the order of the page: ${FILMFEST}/jury`,
    outputSchema: schemaOf({
      directors: { type: "array", items: schemaOf({ name: TEXT, country: TEXT }) },
    }),
    want: data({ directors: DIRECTORS }),
    solution: [
      step(opens(`${FILMFEST}/jury`)),
      ends("Two directors are on the jury.", { directors: DIRECTORS }),
    ],
  },
  {
    id: "read-cards",
    prompt: `My flight leaves early and I want a shower first. Which lounge at ${AIRPORT}/lounges has showers and opens before 5 in the morning?`,
    want: value(EARLY_WITH_SHOWERS),
    solution: [
      step(opens(`${AIRPORT}/lounges`)),
      ends(`The ${EARLY_WITH_SHOWERS} has showers and opens at 04:30.`),
    ],
  },
  {
    id: "read-json",
    prompt: `Look at ${STATUS}/api/health. Which check does not pass, and what is the latency in milliseconds?`,
    outputSchema: schemaOf({ failing: TEXT, latencyMs: NUMBER }),
    want: data({ failing: "cache", latencyMs: 182 }),
    solution: [
      step(opens(`${STATUS}/api/health`)),
      ends("The cache check is failing.", { failing: "cache", latencyMs: 182 }),
    ],
  },
];
