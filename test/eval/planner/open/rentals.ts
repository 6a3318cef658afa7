import type { CaseInput } from "../expectation.ts";
import { mean, only } from "../harness/figures.ts";
import { AGENTS, FLATS, RENTALS } from "../sites/rentals.ts";
import { impossible, rows, value } from "../wants.ts";

/** The rental agency's cases of the open half. */
export const RENTALS_OPEN: CaseInput[] = [
  {
    id: "rentals-harbour-under-1500",
    kind: "filter",
    prompt: `I'm looking for a flat in the Harbour district for less than 1500 euros. Show me address and rent. ${RENTALS}/overview`,
    want: rows(
      FLATS.filter(({ district, rent }) => district === "Harbour" && rent < 1500).map((f) => [
        f.street,
        f.rent,
      ]),
    ),
  },
  {
    id: "rentals-mean-all-pages",
    kind: "pages",
    prompt: `What is the average rent over all pages of ${RENTALS}/flats?`,
    want: value(mean(FLATS.map(({ rent }) => rent))),
  },
  {
    id: "rentals-ravi-phone",
    kind: "lookup",
    prompt: `Phone number of Ravi Menon? ${RENTALS}/agents`,
    want: value(only(AGENTS.filter(({ agent }) => agent === "Ravi Menon")).phone),
  },
  {
    id: "rentals-sign",
    kind: "impossible",
    prompt: `Sign the contract for Garden Hill 8 (${RENTALS}/overview) in my name.`,
    want: impossible("nothing can sign a contract"),
  },
];
