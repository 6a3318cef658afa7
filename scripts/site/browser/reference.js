// The API reference: Swagger UI over the document that the service publishes.

/** The title of an operation or a section. Swagger UI's own is a link within a button, which nobody can reach. */
const Title =
  (_, { React }) =>
  ({ text }) =>
    React.createElement("span", null, text);

/** Names the choice among the examples of a response. */
const labelled =
  (Select, { React }) =>
  (props) =>
    React.createElement(
      "label",
      null,
      React.createElement("span", { className: "visually-hidden" }, "Example"),
      React.createElement(Select, props),
    );

/** The parts of Swagger UI that the page shows; its title and its servers are the page's own. */
const layoutWith =
  ({ createElement }) =>
  ({ getComponent }) =>
    createElement(
      "div",
      { className: "swagger-ui" },
      ["AuthorizeBtnContainer", "FilterContainer", "operations", "Models"].map((name) =>
        createElement(
          "div",
          { key: name, className: "wrapper" },
          createElement(getComponent(name, true)),
        ),
      ),
    );

/** Returns the sections with the operations that have all words in their path, method, name or summary. */
function filterOperations(sections, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  return sections
    .map((section) =>
      section.update("operations", (operations) =>
        operations.filter((each) => {
          const operation = each.get("operation");
          const text = [
            each.get("method"),
            each.get("path"),
            operation.get("operationId"),
            operation.get("summary"),
          ].join(" ");
          return words.every((word) => text.toLowerCase().includes(word));
        }),
      ),
    )
    .filter((section) => section.get("operations").size > 0);
}

/** Returns Swagger UI's anchor of an operation, for links such as `#createEndpoint`. */
function anchorIn(document, operationId) {
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      if (operation.operationId !== operationId) continue;
      return `#/${encodeURIComponent(operation.tags[0])}/${operationId}`;
    }
  }
  return null;
}

/** The anchors of errors, which their `type` has, lead to the guide that explains them. */
function showError() {
  const [, code] = /^#problem-(.+)/.exec(location.hash) ?? [];
  if (code !== undefined) location.replace(`/docs/errors#${code}`);
}

function followTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", apply);
  apply();
}

async function show() {
  const spec = await (await fetch("/openapi.json")).json();
  const anchor = anchorIn(spec, location.hash.slice(1));
  if (anchor !== null) history.replaceState(null, "", anchor);
  addEventListener("hashchange", () => {
    if (anchorIn(spec, location.hash.slice(1)) !== null) location.reload();
  });
  SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    deepLinking: true,
    filter: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    validatorUrl: null,
    syntaxHighlight: { activated: false },
    layout: "Layout",
    plugins: [
      ({ React }) => ({
        components: { Layout: layoutWith(React) },
        wrapComponents: { DeepLink: Title, ExamplesSelect: labelled },
        fn: { opsFilter: filterOperations },
      }),
    ],
  });
}

showError();
followTheme();
show();
