import type { Faults, Refusal } from "../forms/faults.ts";
import { labelOf } from "../forms/labels.ts";
import { Notice } from "./parts.tsx";

/**
 * What a form was not taken for, on top of it. `shown` tells which faults have a control of their own,
 * `labels` what those are called where the page has a name of its own for them.
 */
export function Refused({
  refusal,
  shown = () => true,
  labels = {},
}: {
  refusal: Refusal | null;
  shown?: (name: string) => boolean;
  labels?: Readonly<Record<string, string>>;
}) {
  if (refusal === null) return null;
  return (
    <Notice tone="bad">
      <p>{refusal.message}</p>
      {refusal.faults.size > 0 && (
        <FaultList faults={refusal.faults} shown={shown} labels={labels} />
      )}
    </Notice>
  );
}

function FaultList({
  faults,
  shown,
  labels,
}: {
  faults: Faults;
  shown: (name: string) => boolean;
  labels: Readonly<Record<string, string>>;
}) {
  return (
    <ul>
      {[...faults].map(([name, message]) => (
        <li>
          {shown(name) ? <a href={`#${name}`}>{labelOf(name, labels)}</a> : <code>{name}</code>}
          {`: ${message}`}
        </li>
      ))}
    </ul>
  );
}
