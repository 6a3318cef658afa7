import { describe, expect, it } from "vitest";
import { Address, isWebAddress } from "../../../../src/dashboard/components/elements.tsx";

describe("an address", () => {
  it("is a link if it leads to a web page", () => {
    const link = String(Address({ url: "https://example.com/?a=1&b=2" }));
    expect(link).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(link).toContain('rel="noopener noreferrer"');
  });

  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.com/x",
    "//evil.example",
    "/dashboard",
    "not an address",
    "",
  ])("is plain text if it is %j", (url) => {
    expect(isWebAddress(url)).toBe(false);
    expect(String(Address({ url }))).not.toContain("href");
    expect(String(Address({ url }))).not.toContain("<script>");
  });
});
