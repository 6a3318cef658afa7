import type { TestProject } from "vitest/node";
import { startSearchServer } from "../search-server.ts";

/** Starts the search that the Worker's tests use, which finds one page; answers how to end it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const page = { title: "Harbour Lane Tea", url: "https://tea.example/", text: "Loose tea." };
  const search = await startSearchServer([page]);
  project.provide("searxngUrl", search.searxng);
  return search.close;
}
