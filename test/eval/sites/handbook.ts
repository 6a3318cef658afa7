import { html, type Site, table } from "../harness/site.ts";

/** The origin of a company's handbook: pages that are longer than a model is shown at once. */
export const HANDBOOK = "http://handbook.example";

const TOPICS = ["Desks", "Keys", "Meetings", "Laptops", "Parking", "Visitors", "Kitchen", "Post"];

/** The rule that one of the sections states. */
export const REFUND_DAYS = 45;

/** A part that the warehouse stocks. */
interface Part {
  part: string;
  maker: string;
  price: number;
}

const MAKERS = ["Vantor", "Ostrel", "Kimura", "Dahl"];

/** The parts of the catalogue. */
export const PARTS: readonly Part[] = Array.from({ length: 1_500 }, (_, at) => ({
  part: `P-${String(at + 1).padStart(4, "0")}`,
  maker: MAKERS[(at * 7 + Math.floor(at / 11)) % MAKERS.length] ?? "",
  price: ((at * 37) % 900) / 10 + 1,
}));

function section(number: number): string {
  const topic = TOPICS[number % TOPICS.length];
  const rule =
    number === 87
      ? `<p>Travel expenses are refunded within ${REFUND_DAYS} days after the receipts were handed in at the travel desk.</p>`
      : "";
  const text = `Section ${number} tells how we deal with ${topic?.toLowerCase()}. Ask your team lead first, then the office. `;
  return `<h2>${number}. ${topic}</h2><p>${text.repeat(8)}</p>${rule}`;
}

/** A handbook of 120 sections and a catalogue of 1,500 parts, each on one page. */
export const HANDBOOK_SITE: Site = {
  host: "handbook.example",
  pages: {
    "/": html(
      "Handbook",
      `<h1>Handbook</h1>${Array.from({ length: 120 }, (_, at) => section(at + 1)).join("")}`,
    ),
    "/parts": html(
      "Parts",
      `<h1>Parts</h1>${table(
        ["Part", "Maker", "Price"],
        PARTS.map(({ part, maker, price }) => [part, maker, `€${price.toFixed(2)}`]),
      )}`,
    ),
  },
};
