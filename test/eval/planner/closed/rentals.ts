import type { CaseInput } from "../expectation.ts";
import { only, sum } from "../harness/figures.ts";
import { AGENTS, FLATS, RENTALS } from "../sites/rentals.ts";
import { impossible, rows, value } from "../wants.ts";

/** The rental agency's cases of the closed half. */
export const RENTALS_CLOSED: CaseInput[] = [
  {
    id: "rentals-furnished-two-rooms",
    kind: "filter",
    prompt: `Furnished flats with at least 2 rooms, with id and address please: ${RENTALS}/overview`,
    want: rows(
      FLATS.filter(({ furnished, rooms }) => furnished === "yes" && rooms >= 2).map((f) => [
        f.id,
        f.street,
      ]),
    ),
  },
  {
    id: "rentals-area-all-pages",
    kind: "pages",
    prompt: `Sum up the area of all flats. Start at ${RENTALS}/flats and don't forget the next pages.`,
    want: value(sum(FLATS.map(({ area }) => area))),
  },
  {
    id: "rentals-lukas-mail",
    kind: "lookup",
    prompt: `${RENTALS}/agents what is Lukas Brun's e-mail address`,
    want: value(only(AGENTS.filter(({ agent }) => agent === "Lukas Brun")).email),
  },
  {
    id: "rentals-visit",
    kind: "impossible",
    prompt: `Go and visit the flat at Canal Row 5 from ${RENTALS}/overview and tell me if it is noisy.`,
    want: impossible("nobody can visit a flat, and the page says nothing about noise"),
  },
];
