import type { NodeExplanation } from '@coxswain/kube-scheduler/explain-placement.ts';
import { inLanguages } from '../../language/language.ts';
import { nodePath, nodesMax } from './node-refusals.tsx';

const text = inLanguages(
  { title: 'Scores of the nodes that fit', node: 'Node', total: 'Total' },
  { title: '适合的节点的得分', node: '节点', total: '总分' },
);

/** Best node first, with each plugin's weighted score. */
export function NodeScores({ nodes }: { readonly nodes: readonly NodeExplanation[] }) {
  const plugins = [...new Set(nodes.flatMap(({ scores }) => Object.keys(scores)))];
  return (
    <section class="panel" aria-labelledby="scores-title">
      <div class="panel-head">
        <h2 id="scores-title">{text().title}</h2>
        <span class="panel-note">{nodes.length}</span>
      </div>
      <div class="matrix-frame">
        <table class="matrix" data-is-numeric>
          <thead>
            <tr>
              <th scope="col">{text().node}</th>
              <th scope="col">{text().total}</th>
              {plugins.map((plugin) => (
                <th key={plugin} scope="col">
                  {plugin}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {nodes.slice(0, nodesMax).map(({ node, total, scores }) => (
              <tr key={node}>
                <th scope="row">
                  <a href={nodePath(node)}>{node}</a>
                </th>
                <td>
                  <strong>{total}</strong>
                </td>
                {plugins.map((plugin) => (
                  <td key={plugin}>{scores[plugin] ?? 0}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
