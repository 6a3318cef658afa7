import { expect, test } from "vitest";
import { readOptions } from "../../../../scripts/smoke/options.ts";

const KEY = { PROMPTHOOK_API_KEY: "ph_live_x" };

test("takes the origin of an address, and a key or an operator's token", () => {
  const options = readOptions(["https://hooks.example.com/dashboard?x=1", "--json"], {
    ...KEY,
    ADMIN_TOKEN: "token",
  });
  expect(options).toEqual({
    target: {
      url: "https://hooks.example.com",
      credential: { apiKey: "ph_live_x" },
      callback: null,
    },
    json: true,
  });
  const { target } = readOptions(["http://127.0.0.1:8787"], { ADMIN_TOKEN: "token" });
  expect(target.credential).toEqual({ adminToken: "token" });
});

test("takes the address of a callback, and the port that it leads to", () => {
  const args = ["https://a.example", "--callback-url", "https://tunnel.example/x"];
  expect(readOptions(args, KEY).target.callback).toEqual({
    url: "https://tunnel.example/x",
    port: null,
  });
  expect(readOptions([...args, "--callback-port", "9000"], KEY).target.callback?.port).toBe(9_000);
});

const CALLBACK = ["https://a.example", "--callback-url", "https://t.example"];

test.each([
  [[], "Usage: npm run smoke"],
  [["https://a.example", "https://b.example"], "Usage: npm run smoke"],
  [["https://a.example", "--verbose"], "Usage: npm run smoke"],
  [["ftp://a.example"], "is not an https address"],
  [["a.example"], "is not an https address"],
  [["http://a.example"], "is not an https address"],
  [["https://a.example", "--callback-port", "80"], "needs --callback-url"],
  [[...CALLBACK, "--callback-port", "0"], "from 1 to 65535"],
  [["https://a.example", "--callback-url", "tunnel"], "It must be an absolute address"],
])("rejects %j with the reason", (args, message) => {
  expect(() => readOptions(args, KEY)).toThrow(message);
});

test("names the missing variables", () => {
  expect(() => readOptions(["https://a.example"], {})).toThrow("Set PROMPTHOOK_API_KEY");
});
