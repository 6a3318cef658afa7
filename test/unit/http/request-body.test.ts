import { expect, it } from "vitest";
import * as z from "zod";
import { jsonBody } from "../../../src/http/route.ts";

const KIB = 1_024;

const { read } = jsonBody(z.looseObject({}), {}, { hasFiles: true });

/** Reads a body as its route does, whose caller may send files. */
const readBody = (body: string) =>
  read(
    new Request("https://prompthook.example/", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    }),
    async () => {},
  );

const data = "eHh4".repeat(128 * KIB);
const text = "x".repeat(256 * KIB);

it.each([{ files: [{ data }] }, { executions: [{ files: [{ data }] }] }])(
  "a body has 256 KiB besides its files or those of its executions",
  async (value) => {
    expect((await readBody(JSON.stringify(value))).value).toEqual(value);
  },
);

it.each<[string, string]>([
  ["more than 256 KiB beside its files", JSON.stringify({ files: [{ data: "" }], text })],
  ["files elsewhere", JSON.stringify({ inputs: { data: text } })],
  ["more than 10 MiB of files", " ".repeat(15_000 * KIB)],
])("a body with %s is refused", async (_, body) => {
  await expect(readBody(body)).rejects.toMatchObject({ code: "payload_too_large" });
});
