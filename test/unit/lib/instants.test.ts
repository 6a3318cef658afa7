import { describe, expect, it } from "vitest";
import type { PayloadValue } from "../../../src/contract/webhooks/payload.ts";
import { readInstant } from "../../../src/lib/instants.ts";

const AT = Date.UTC(2026, 10, 21, 14, 30, 5);

describe("a moment is read from", () => {
  it.each([
    ...[AT, AT / 1_000, String(AT), ` ${AT / 1_000} `, AT * 1_000, String(AT * 1_000_000)],
    ...["2026-11-21T14:30:05Z", "2026-11-21t14:30:05z", "2026-11-21 14:30:05Z", "20261121T143005Z"],
    ...["2026-11-21T14:30:05", "2026-11-21T16:30:05+02:00", "2026-11-21T16:30:05+0200"],
    ...["2026-11-21T16:30:05+02", "2026-11-21T09:00:05-05:30", "Sat, 21 Nov 2026 15:30:05 +0100"],
  ])("%j", (value) => {
    expect(readInstant(value)).toBe(AT);
  });

  it("a whole number that was kept exact", () => {
    expect(readInstant(BigInt(AT))).toBe(AT);
  });

  it.each([
    ["2026-11-21T14:30:05.123456789Z", AT + 123],
    ["2026-11-21T14:30:05,5Z", AT + 500],
    ["2026-11-21T14:30Z", AT - 5_000],
    [AT / 1_000 + 0.25, AT + 250],
    [0, 0],
    // The last second, and the first millisecond, of what the numbers can mean.
    [99_999_999_999, 99_999_999_999_000],
    [100_000_000_000, 100_000_000_000],
  ])("%j to its fraction", (value, expected) => {
    expect(readInstant(value)).toBe(expected);
  });
});

it.each<PayloadValue>([
  ...["", "now", "2026-11-21", "20261121", "21.11.2026 14:30", "2026-13-01T00:00:00Z", "-5", "1e9"],
  ...["2026-11-21T25:00:00Z", "2026-11-21T14:30:05 UTC", "0x6a000000"],
  ...[20_261_121, -1, Number.NaN, true, null, { seconds: 1_795_000_000 }],
])("%j is not a moment", (value) => {
  expect(readInstant(value)).toBe(null);
});
