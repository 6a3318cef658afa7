import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { licenceTable, readLock, shippedPackages } from "../../../scripts/licences/table.ts";
import { ROOT } from "../../../scripts/local/project.ts";
import { sendersDocument } from "../../../scripts/senders/document.ts";

const read = (path: string) => readFile(join(ROOT, path), "utf8");
const lock = readLock(await read("package-lock.json"));

test("docs/licences.md lists the shipped packages", async () => {
  expect(await read("docs/licences.md")).toBe(licenceTable(lock));
});

test("all shipped packages have a licence that requires only a notice", () => {
  const free =
    /^\(?(?:MIT|MIT-0|ISC|0BSD|Zlib|Apache-2\.0|BSD-[23]-Clause|AFL-2\.1|PSF-2\.0)(?: (?:AND|OR) .*)?$/;
  const others = shippedPackages(lock).filter(({ licence }) => !free.test(licence));
  expect(others.map(({ name }) => name)).toEqual([]);
});

test("the lock file has the integrity of every package", () => {
  const without = Object.entries(lock.packages).filter(
    ([path, { integrity }]) => path !== "" && integrity === undefined,
  );
  expect(without).toEqual([]);
});

test("docs/senders.md lists every preset", async () => {
  expect(await read("docs/senders.md")).toBe(sendersDocument());
});
