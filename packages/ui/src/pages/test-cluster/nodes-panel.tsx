import { detach } from '@coxswain/apimachinery/detach.ts';
import { Button } from '../../controls/button.tsx';
import { Badge } from '../../controls/tone.tsx';
import type { Health } from '../../health/health.ts';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import { whileBusy } from './busy.ts';
import { act, type TestingState } from './testing-calls.ts';

const text = inLanguages(
  { title: 'Nodes', add: 'Add a node', fail: 'Fail', recover: 'Recover', remove: 'Remove' },
  { title: '节点', add: '添加节点', fail: '故障', recover: '恢复', remove: '移除' },
);

interface NodesPanelProps {
  readonly nodes: TestingState['nodes'];
  /** By node name. */
  readonly health: ReadonlyMap<string | undefined, Health>;
  readonly isBusy: boolean;
}

export function NodesPanel({ nodes, health, isBusy }: NodesPanelProps) {
  const unless = whileBusy(isBusy);
  return (
    <section class="panel" aria-labelledby="nodes-title">
      <div class="panel-head">
        <h2 id="nodes-title">{text().title}</h2>
        <Button icon="plus" unless={unless} onPress={() => detach(act('POST', 'nodes'))}>
          {text().add}
        </Button>
      </div>
      <ul class="test-list">
        {nodes.map(({ name }) => {
          const { tone, state } = health.get(name) ?? { tone: 'idle' as const, state: '' };
          return (
            <li key={name}>
              <a
                class="link"
                href={objectPath({ group: '', version: 'v1', resource: 'nodes' }, undefined, name)}
              >
                {name}
              </a>
              <span class="tool-note">{state !== '' && <Badge tone={tone}>{state}</Badge>}</span>
              <Button unless={unless} onPress={() => detach(act('POST', `nodes/${name}/fail`))}>
                {text().fail}
              </Button>
              <Button unless={unless} onPress={() => detach(act('POST', `nodes/${name}/recover`))}>
                {text().recover}
              </Button>
              <Button kind="danger" unless={unless} onPress={() => detach(act('DELETE', `nodes/${name}`))}>
                {text().remove}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
