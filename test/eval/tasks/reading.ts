import { data, value } from "../expectation.ts";
import { only } from "../harness/figures.ts";
import { AIRPORT, LOUNGES } from "../sites/airport.ts";
import { STATUS } from "../sites/datacentre.ts";
import { FILMFEST, FILMS } from "../sites/filmfest.ts";
import { ends, NUMBER, opens, schemaOf, step, type Task, TEXT } from "../task.ts";

const NIGHT_BUS = only(FILMS.filter(({ title }) => title === "Night Bus"));
const NIGHT_BUS_DATA = { director: NIGHT_BUS.director, rating: NIGHT_BUS.rating };
const EARLY_WITH_SHOWERS = only(
  LOUNGES.filter(({ showers, opens }) => showers === "yes" && opens < "05:00"),
).name;

/** Tasks that one page answers. */
export const READING: Task[] = [
  {
    id: "read-row",
    prompt: `Who directed the film called Night Bus, and how is it rated? ${FILMFEST}/films`,
    outputSchema: schemaOf({ director: TEXT, rating: NUMBER }),
    want: data(NIGHT_BUS_DATA),
    solution: [
      step(opens(`${FILMFEST}/films`)),
      ends("Tariq Mansour directed it.", NIGHT_BUS_DATA),
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
