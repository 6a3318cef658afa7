import { call } from "../../support/model-server/behaviour.ts";
import { aValue, done, someRows } from "../expectation.ts";
import { only } from "../harness/figures.ts";
import { APIARY, HIVES, MEMBERS } from "../sites/apiary.ts";
import { INCIDENTS, incidentUrl, STATUS } from "../sites/datacentre.ts";
import { GUSTS, METEO } from "../sites/meteo.ts";
import { AGENTS, FLATS, RENTALS } from "../sites/rentals.ts";
import { ends, opens, step, type Task } from "../task.ts";

const INFESTED = HIVES.filter(({ mites }) => mites > 8).map(({ hive, mites }) => [hive, mites]);
const KEEPER = only(MEMBERS.filter(({ name }) => name === "Farah Aziz")).email;

const BY_AGENT = AGENTS.map(({ agent, email }) => ({
  email,
  own: FLATS.filter((flat) => flat.agent === agent).map(({ id }) => id),
  others: FLATS.filter((flat) => flat.agent !== agent).map(({ id }) => id),
}));

const OPEN_CRITICAL = only(
  INCIDENTS.filter(({ severity, state }) => severity === "critical" && state === "open"),
);
const TICKET = {
  incident: OPEN_CRITICAL.id,
  owner: OPEN_CRITICAL.owner,
  minutes: OPEN_CRITICAL.minutes,
};

const GUST = Math.max(...GUSTS);

/** Tasks that change something outside: exactly what was asked, and nothing else. */
export const EFFECTS: Task[] = [
  {
    id: "effect-attachment",
    prompt: `Send Farah Aziz (see ${APIARY}/members) an Excel workbook of the hives at ${APIARY}/hives that have more than 8 mites, with their number of mites.`,
    want: done({
      files: [{ format: "xlsx", rows: someRows(INFESTED) }],
      mails: [{ to: [KEEPER], attached: [{ format: "xlsx", rows: someRows(INFESTED) }] }],
    }),
    solution: [
      step(opens(`${APIARY}/members`, "members"), opens(`${APIARY}/hives`, "hives")),
      step(
        call(
          "write_spreadsheet",
          {
            format: "xlsx",
            filename: "hives.xlsx",
            sheets: [
              { name: "Hives", columns: [{ name: "Hive" }, { name: "Mites" }], rows: INFESTED },
            ],
            sources: ["hives"],
          },
          "file",
        ),
      ),
      step(
        call("send_email", {
          to: [KEEPER],
          subject: "Hives with many mites",
          text: "The workbook is attached.",
          attachments: ["file"],
        }),
      ),
      ends("The workbook was sent."),
    ],
  },
  {
    id: "effect-mail-each",
    prompt: `Send each agent of ${RENTALS}/agents one e-mail with the ids of their own flats (and no others), from ${RENTALS}/overview.`,
    want: done({
      mails: BY_AGENT.map(({ email, own, others }) => ({
        to: [email],
        facts: own,
        lacks: others,
      })),
    }),
    solution: [
      step(opens(`${RENTALS}/agents`, "agents"), opens(`${RENTALS}/overview`, "flats")),
      step(
        ...BY_AGENT.map(({ email, own }) =>
          call("send_email", {
            to: [email],
            subject: "Your flats",
            text: `Your flats: ${own.join(", ")}.`,
            sources: ["flats"],
          }),
        ),
      ),
      ends("Each agent got an e-mail."),
    ],
  },
  {
    id: "effect-request",
    prompt: `One critical incident at ${STATUS}/incidents is still open. POST it to http://desk.example/tickets as JSON with exactly the fields incident (its id, a number), owner, and minutes (its downtime, a number).`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/tickets",
          body: TICKET,
        },
      ],
    }),
    solution: [
      step(opens(`${STATUS}/incidents`)),
      step(opens(incidentUrl(OPEN_CRITICAL.id), "incident")),
      step(
        call("http_request", { method: "POST", url: "http://desk.example/tickets", body: TICKET }),
      ),
      ends("The incident was posted."),
    ],
  },
  {
    id: "effect-condition",
    prompt: `If any station at ${METEO}/stations had a gust of more than 100 km/h, POST {"alarm": true} to http://desk.example/alarms. If not, send nothing and tell me the strongest gust.`,
    want: done({ answers: [aValue(GUST)] }),
    solution: [
      step(opens(`${METEO}/stations`)),
      ends(`No alarm was sent: the strongest gust had ${GUST} km/h.`),
    ],
  },
];
