import type { Reference } from "../reference.ts";
import { Method } from "./operation.tsx";

const GUIDES = [
  { href: "#guide-start", label: "Start an agent" },
  { href: "#guide-webhooks", label: "Receive a webhook" },
  { href: "#guide-callbacks", label: "Verify a callback" },
  { href: "#guide-mcp", label: "Connect other agents" },
  { href: "#conventions", label: "Conventions" },
];

/** Returns the anchor of a section. */
export function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;
}

/** The table of contents, folded on a phone. */
export function Navigation({ tags }: Pick<Reference, "tags">) {
  return (
    <details class="contents">
      <summary>Contents</summary>
      <nav aria-label="Contents">
        <div data-group="">
          <h2>Guides</h2>
          <ul>
            {GUIDES.map(({ href, label }) => (
              <li data-filter={label}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </div>
        {tags.map(({ name, operations }) => (
          <div data-group="">
            <h2>
              <a href={`#${anchorOf(name)}`}>{name}</a>
            </h2>
            <ul>
              {operations.map(({ id, summary, method, path }) => (
                <li data-filter={`${summary} ${method} ${path} ${id}`}>
                  <a href={`#${id}`}>
                    <Method name={method} /> {id}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div data-group="">
          <h2>
            <a href="#problems">Errors</a>
          </h2>
          <h2>
            <a href="#schemas">Schemas</a>
          </h2>
        </div>
      </nav>
    </details>
  );
}
