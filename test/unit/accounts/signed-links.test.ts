import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readToken, signToken } from "../../../src/accounts/signed-links.ts";

const KEYS = [btoa("k".repeat(32))];
const OTHER = [btoa("x".repeat(32))];
const PURPOSE = "tests: link";
const content = z.tuple([z.string(), z.int()]);

const read = (token: string, purpose = PURPOSE, keys = KEYS) =>
  readToken(purpose, token, content, keys);

const flipped = (text: string) =>
  `${text.slice(0, -2)}${text.at(-2) === "A" ? "B" : "A"}${text.at(-1)}`;

describe("the token of a link", () => {
  it("reads back as it was signed", async () => {
    const token = await signToken(PURPOSE, ["acc_ü", 7], KEYS);
    expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/);
    expect(await read(token)).toEqual(["acc_ü", 7]);
  });

  it("is refused if any part was changed, or it was signed for another purpose", async () => {
    const [text = "", check = ""] = (await signToken(PURPOSE, ["acc_1", 7], KEYS)).split(".");
    const [later = ""] = (await signToken(PURPOSE, ["acc_1", 8], KEYS)).split(".");
    const forged = [
      ...[`${later}.${check}`, `${flipped(text)}.${check}`, `${text}.${flipped(check)}`],
      ...[`${text}.${check}.`, `${text}.`, text, "", ".", "%00.é"],
      await signToken(PURPOSE, ["acc_1", 7], OTHER),
      await signToken("tests: form", ["acc_1", 7], KEYS),
      await signToken(PURPOSE, ["acc_1", "never"], KEYS),
    ];
    for (const token of forged) expect(await read(token), token).toBeNull();
    expect(await read(`${text}.${check}`)).toEqual(["acc_1", 7]);
  });

  it("stays valid while its key is kept behind a newer one", async () => {
    const token = await signToken(PURPOSE, ["acc_1", 7], KEYS);
    expect(await read(token, PURPOSE, [...OTHER, ...KEYS])).toEqual(["acc_1", 7]);
  });
});
