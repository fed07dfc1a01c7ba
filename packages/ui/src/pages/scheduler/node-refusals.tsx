import type { NodeExplanation } from '@coxswain/kube-scheduler/explain-placement.ts';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import { refusingPlugins } from './obstacles.ts';
import { Fact } from './refusal-fact.tsx';

const text = inLanguages(
  {
    title: 'Why not, node by node',
    node: 'Node',
    passes: 'passes',
    more: (count: number) => `and ${count} more`,
  },
  { title: '各节点的拒绝原因', node: '节点', passes: '通过', more: (count: number) => `另有 ${count} 个` },
);

export const nodesMax = 100;

export const nodePath = (name: string): string =>
  objectPath({ group: '', version: 'v1', resource: 'nodes' }, undefined, name);

export function NodeRefusals({ nodes }: { readonly nodes: readonly NodeExplanation[] }) {
  const plugins = refusingPlugins(nodes);
  return (
    <section class="panel" aria-labelledby="refusals-title">
      <div class="panel-head">
        <h2 id="refusals-title">{text().title}</h2>
        <span class="panel-note">{nodes.length}</span>
      </div>
      <div class="matrix-frame">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">{text().node}</th>
              {plugins.map((plugin) => (
                <th key={plugin} scope="col">
                  {plugin}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {nodes.slice(0, nodesMax).map(({ node, refusals }) => (
              <tr key={node}>
                <th scope="row">
                  <a href={nodePath(node)}>{node}</a>
                </th>
                {plugins.map((plugin) => {
                  const own = refusals.filter((refusal) => refusal.plugin === plugin);
                  return (
                    <td key={plugin} data-tone={own.length === 0 ? 'ok' : 'bad'}>
                      {own.length === 0 ? (
                        <span aria-label={text().passes}>✓</span>
                      ) : (
                        own.flatMap(({ reasons }) => reasons).join(', ') || '✗'
                      )}
                      {own
                        .flatMap(({ facts = [] }) => facts)
                        .map((fact) => (
                          <Fact key={JSON.stringify(fact)} fact={fact} />
                        ))}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {nodes.length > nodesMax && <p class="entries-more">{text().more(nodes.length - nodesMax)}</p>}
    </section>
  );
}
