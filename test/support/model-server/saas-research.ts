import { type Behaviour, call, callsTools, finishes } from "./behaviour.ts";
import type { ChatRequest } from "./chat-request.ts";

/**
 * A model that finds the three largest SaaS companies and their prices: it searches, opens the ranking,
 * opens the prices of the three with the highest revenue, and writes what it read as a table. It knows
 * nothing but the conversation.
 */
export function researchesSaas({ messages }: ChatRequest): Behaviour {
  const answers = messages.flatMap(({ role, content }) =>
    role === "tool" ? [String(content)] : [],
  );
  switch (messages.filter(({ role }) => role === "assistant").length) {
    case 0:
      return callsTools(call("search_web", { query: "largest SaaS companies by revenue" }));
    case 1:
      return callsTools(call("browse", { url: rankingIn(answers.at(-1) ?? "") }));
    case 2:
      return callsTools(
        ...rankedIn(answers.at(-1) ?? "")
          .slice(0, 3)
          .map(({ url }) => call("browse", { url })),
      );
    case 3:
      return callsTools(
        call("emit_output", {
          label: "Top 3 SaaS companies",
          type: "table",
          value: {
            columns: ["company", "plan", "price"],
            rows: answers.slice(-3).flatMap(plansIn),
          },
        }),
      );
    default:
      return finishes(
        "The table lists the plans of the three SaaS companies with the highest revenue.",
      );
  }
}

/** Returns the address of the first result. */
function rankingIn(answer: string): string {
  return /"url":"([^"]+)"/.exec(answer)?.[1] ?? "";
}

/** Returns the companies of a ranking, the highest revenue first. */
function rankedIn(answer: string): { url: string; revenue: number }[] {
  return [...answer.matchAll(/\[\w+\]\(([^)]+)\) \| \$([\d.]+) billion/g)]
    .map(([, url = "", revenue]) => ({ url, revenue: Number(revenue) }))
    .sort((a, b) => b.revenue - a.revenue);
}

/** Returns the rows of a page with prices. */
function plansIn(answer: string): [string, string, number][] {
  const company = /(\w+) pricing/.exec(answer)?.[1] ?? "";
  return [...answer.matchAll(/## (\w+)(?:\\n|\s)+\$(\d+) per user/g)].map(
    ([, plan = "", price]) => [company, plan, Number(price)],
  );
}
