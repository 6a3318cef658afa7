import type { Effect } from "../../../../contract/execution.ts";
import { Badge, DataTable, Time } from "../../../components/parts.tsx";
import { EFFECT_STATES } from "../words.ts";

/** What the run has done to the outside. */
export function Effects({
  effects,
  isOver,
  isUpdate,
}: {
  effects: readonly Effect[];
  isOver: boolean;
  isUpdate: boolean;
}) {
  return (
    <div id="effects" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {effects.length > 0 && (
        <section aria-labelledby="effects-title" class="part">
          <h2 id="effects-title">What it did outside</h2>
          <DataTable
            label="Effects"
            columns={["State", "Tool", "Target", "When"]}
            id="effects-table"
          >
            {effects.map((effect) => (
              <EffectRow effect={effect} isOver={isOver} />
            ))}
          </DataTable>
        </section>
      )}
    </div>
  );
}

/** Tells when what is shown of the effects has changed. */
export function effectsKey(effects: readonly Effect[]): string {
  return effects.map(({ state }) => state.charAt(0)).join("");
}

/** What is not known yet counts as uncertain; while the run works it is mostly just under way. */
function EffectRow({ effect, isOver }: { effect: Effect; isOver: boolean }) {
  const { state, tool, target, at } = effect;
  return (
    <tr>
      <td class="wrap">
        <Badge state={state} />
        <div class="muted">
          {state === "uncertain" && !isOver
            ? "It is under way, or was cut off."
            : EFFECT_STATES[state]}
        </div>
      </td>
      <td class="whole">
        <code>{tool}</code>
      </td>
      <td class="wrap">{target}</td>
      <td>
        <Time at={at} />
      </td>
    </tr>
  );
}
