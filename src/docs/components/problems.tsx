import { PROBLEMS, type ProblemCode } from "../../contract/problem.ts";
import { PROBLEM_TEXTS } from "../problems.ts";
import { Example } from "./code.tsx";
import { Words } from "./prose.tsx";

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** What every error code means, where the `type` of each error leads. */
export function ProblemsSection() {
  return (
    <section id="problems">
      <h2>Errors</h2>
      <div class="operation">
        <div class="operation-text">
          <p>
            Every error is <code>application/problem+json</code> (RFC 9457), a{" "}
            <a href="#schema-Problem">Problem</a>. Programs go by <code>code</code>;{" "}
            <code>detail</code> says in words what is wrong with this very request;{" "}
            <code>type</code> leads here. What belongs to somebody else is always 404.
          </p>
        </div>
        <div class="operation-code">
          <Example
            label="An error"
            value={{
              type: "/docs#problem-invalid_request",
              title: PROBLEMS.invalid_request.title,
              status: PROBLEMS.invalid_request.status,
              detail:
                "The body is not valid. prompt: Too small: expected string to have >=1 characters",
              code: "invalid_request",
              requestId: "0b7c4f0e-5d1a-4c39-9a55-5a1d7a9a1f42",
              errors: [
                {
                  path: "prompt",
                  rule: "too_small",
                  message: "Too small: expected string to have >=1 characters",
                },
              ],
            }}
          />
        </div>
      </div>
      <div class="problems">
        {CODES.map((code) => (
          <ProblemText code={code} />
        ))}
      </div>
    </section>
  );
}

function ProblemText({ code }: { code: ProblemCode }) {
  const { status, title } = PROBLEMS[code];
  const { meaning, remedy } = PROBLEM_TEXTS[code];
  return (
    <article class="problem" id={`problem-${code}`} data-filter={`${status} ${code} ${title}`}>
      <h3>
        <a href={`#problem-${code}`}>
          <span class="status">{status}</span> {code}
        </a>
      </h3>
      <p>
        <strong>{title}.</strong> <Words text={meaning} />
      </p>
      <p>
        <Words text={remedy} />
      </p>
    </article>
  );
}
