import { inLanguages } from '../../language/language.ts';
import { adviceFor } from './advice.ts';
import type { Obstacle } from './obstacles.ts';
import { Fact } from './refusal-fact.tsx';

const text = inLanguages(
  {
    title: 'What would have to change',
    frees: (nodes: readonly string[]) =>
      `Then ${nodes.length === 1 ? nodes[0] : `${nodes.length} nodes`} would fit`,
    first: 'Then nodes are considered',
    more: (count: number) => `and ${count} more ways that need at least as much`,
  },
  {
    title: '需要改变什么',
    frees: (nodes: readonly string[]) =>
      nodes.length === 1 ? `之后 ${nodes[0]} 适合` : `之后有 ${nodes.length} 个节点适合`,
    first: '之后才会检查节点',
    more: (count: number) => `另有 ${count} 种需要同样或更多改变的方式`,
  },
);

const shownMax = 4;

export function ToChange({ obstacles }: { readonly obstacles: readonly Obstacle[] }) {
  return (
    <section class="panel" aria-labelledby="to-change-title">
      <div class="panel-head">
        <h2 id="to-change-title">{text().title}</h2>
      </div>
      <ol class="to-change">
        {obstacles.slice(0, shownMax).map(({ refusals, nodes }) => (
          <li key={JSON.stringify(refusals)}>
            <div class="to-change-steps">
              {refusals.map(({ plugin, reasons, facts = [] }) => (
                <p key={plugin}>
                  <strong>{reasons.join(', ') || plugin}</strong>
                  <span class="panel-note">{plugin}</span>
                  <span class="to-change-advice">{adviceFor(plugin)}</span>
                  {facts.map((fact) => (
                    <Fact key={JSON.stringify(fact)} fact={fact} />
                  ))}
                </p>
              ))}
            </div>
            <span class="to-change-result" title={nodes.join(', ')}>
              {nodes.length === 0 ? text().first : text().frees(nodes)}
            </span>
          </li>
        ))}
      </ol>
      {obstacles.length > shownMax && <p class="entries-more">{text().more(obstacles.length - shownMax)}</p>}
    </section>
  );
}
