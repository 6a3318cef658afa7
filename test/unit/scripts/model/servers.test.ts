import { expect, test } from "vitest";
import { ollamaOrigin } from "../../../../scripts/local/model/servers.ts";

test.each([
  ["", "http://127.0.0.1:11434"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:8000", "http://127.0.0.1:8000"],
  [":8000", "http://127.0.0.1:8000"],
  ["laptop.local", "http://laptop.local:11434"],
  ["http://laptop.local:1", "http://laptop.local:1"],
  ["https://models.example", "https://models.example"],
  ["not an address", null],
])("reads OLLAMA_HOST=%s as Ollama does", (host, origin) => {
  expect(ollamaOrigin(host)).toBe(origin);
});
