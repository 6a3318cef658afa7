import { expect, it } from "vitest";
import { runAgainst } from "../../support/cli/terminal.ts";
import { answer, refuse } from "../../support/scripted-service.ts";

const cli = (argv: string[], act = answer({ members: [] }), input = "") =>
  runAgainst([act], ["api", ...argv], { input });

it.each(["/members?limit=1", "members?limit=1"])(
  "api %s reads a route and prints it",
  async (path) => {
    const { stdout, asked } = await cli([path]);
    expect(stdout).toBe('{\n  "members": []\n}\n');
    expect(asked[0]).toMatchObject({ method: "GET", path: "/api/v1/members?limit=1" });
  },
);

it("api sends the body of a file, by POST or the given method", async () => {
  const posted = await cli(["/members", "--data", "-"], undefined, '{"email": "ada@acme.example"}');
  expect(posted.asked[0]).toMatchObject({
    method: "POST",
    path: "/api/v1/members",
    body: '{"email":"ada@acme.example"}',
  });
  const patched = await cli(["/members/mem_1", "--data", "-", "-X", "PATCH"], undefined, "{}");
  expect(patched.asked[0]).toMatchObject({ method: "PATCH", body: "{}" });
});

it("api prints a line of JSON for a script, and null without a body", async () => {
  expect((await cli(["/members", "--json"])).stdout).toBe('{"members":[]}\n');
  const argv = ["/members/mem_1", "--method", "DELETE", "--json"];
  expect((await cli(argv, answer(undefined, 204))).stdout).toBe("null\n");
});

it("api exits with 3 if the service refuses", async () => {
  expect(await cli(["/nothing"], refuse(404, "not_found"))).toMatchObject({ exit: 3, stdout: "" });
});
