/** The files of `init`: they work on a local start, whose built-in model takes commands. */
export const EXAMPLE: Record<string, string> = {
  "workflows/count-lines.md": `---
# yaml-language-server: $schema=../schemas/workflow.json
name: Count the lines of an order
inputs:
  - name: lines
    type: array
    required: true
maxCredits: 20
---

Count rows from {{lines}}.
`,
  "endpoints/orders.yaml": `# yaml-language-server: $schema=../schemas/endpoint.json
name: Orders of the shop
workflow: count-lines
validation:
  required: [lines]
`,
  "schedules/weekday-report.yaml": `# yaml-language-server: $schema=../schemas/schedule.json
name: Every weekday morning
workflow: count-lines
inputs:
  lines: [{ sku: A-1 }, { sku: B-2 }]
cron: 30 7 * * 1-5
timeZone: Europe/Berlin
`,
  "prompthook.json": `{
  "profiles": {
    "local": { "url": "http://127.0.0.1:8787", "apiKey": { "env": "PROMPTHOOK_API_KEY" } },
    "live": { "url": "https://prompthook.example.com", "apiKey": { "env": "PROMPTHOOK_LIVE_KEY" } }
  }
}
`,
  "ci.example.yml": `# For GitHub: .github/workflows/prompthook.yml
on:
  pull_request:
  push: { branches: [main] }
jobs:
  prompthook:
    runs-on: ubuntu-latest
    env: { PROMPTHOOK_LIVE_KEY: "\${{ secrets.PROMPTHOOK_LIVE_KEY }}" }
    steps:
      - uses: actions/checkout@v4
      - if: github.event_name == 'pull_request'
        run: npx prompthook apply prompthook --profile live --dry-run >> $GITHUB_STEP_SUMMARY || test $? = 3
      - if: github.event_name == 'push'
        run: npx prompthook apply prompthook --profile live --yes --commit $GITHUB_SHA
`,
};
