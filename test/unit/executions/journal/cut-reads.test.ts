import { expect, it } from "vitest";
import { CutReads } from "../../../../src/executions/journal/cut-reads.ts";

const url = "https://a.example/orders";
const cut = (of: string) => ({ eventSeq: 1, url: of, cut: "2 MiB" });
const replyOf = (...calls: string[]) => ({
  role: "assistant" as const,
  text: "",
  calls: calls.map((callId) => ({ callId, tool: "browse", input: {} })),
});

it("lists the cut reads that the model knew when it wrote a call", () => {
  const reads = new CutReads();
  reads.addReply(replyOf("read", "mail"));
  reads.add("read", cut(url), false);
  expect(reads.before("mail")).toEqual([]);
  expect(reads.before("call of the next reply")).toEqual(["read"]);
  reads.addReply(replyOf("mail2"));
  expect(reads.before("mail2")).toEqual(["read"]);
});

it("forgets a cut read only once its address was read whole", () => {
  const reads = new CutReads();
  reads.add("read", cut(url), false);
  reads.add("computed", { eventSeq: 2, cut: "10 of 20 rows" }, false);
  reads.add("sent", { eventSeq: 3, url }, false);
  reads.add("other", { eventSeq: 4, url: `${url}/1` }, true);
  expect(reads.before("next")).toEqual(["read", "computed"]);
  reads.add("again", { eventSeq: 5, url }, true);
  expect(reads.before("next")).toEqual(["computed"]);
});
