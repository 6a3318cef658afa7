import type { Faults, Refusal } from "../forms/faults.ts";
import { Notice } from "./parts.tsx";

/** What a form was not taken for, on top of it. `shown` tells which faults have a control of their own. */
export function Refused({
  refusal,
  shown = () => true,
}: {
  refusal: Refusal | null;
  shown?: (name: string) => boolean;
}) {
  if (refusal === null) return null;
  return (
    <Notice tone="bad">
      <p>{refusal.message}</p>
      {refusal.faults.size > 0 && <FaultList faults={refusal.faults} shown={shown} />}
    </Notice>
  );
}

function FaultList({ faults, shown }: { faults: Faults; shown: (name: string) => boolean }) {
  return (
    <ul>
      {[...faults].map(([name, message]) => (
        <li>
          {shown(name) ? (
            <a href={`#${name}`}>{name === "" ? "Form" : name}</a>
          ) : (
            <code>{name}</code>
          )}
          {` ${message}`}
        </li>
      ))}
    </ul>
  );
}
