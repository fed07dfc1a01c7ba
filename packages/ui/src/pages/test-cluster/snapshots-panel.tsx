import { detach } from '@coxswain/apimachinery/detach.ts';
import { Button } from '../../controls/button.tsx';
import { inLanguages } from '../../language/language.ts';
import { whileBusy } from './busy.ts';
import { act, forkOf, openFork, snapshots, takeSnapshot, type TestFork } from './testing-calls.ts';

const text = inLanguages(
  {
    title: 'Snapshots and forks',
    take: 'Take a snapshot',
    beginning: 'Initial state',
    one: (id: string) => `Snapshot ${id}`,
    restore: 'Go back',
    fork: 'Fork',
    forkOf: (id: string) => `Fork ${id}`,
    open: 'Open',
    stop: 'Stop',
    seed: 'Seed',
    seedWhy: (seed: number) => `COXSWAIN_SEED=${seed} repeats this run.`,
    note: 'Going back restores objects, components and nodes, and removes faults. Time goes on. A fork is another cluster with the same contents, and a page of its own.',
  },
  {
    title: '快照与分支',
    take: '创建快照',
    beginning: '初始状态',
    one: (id: string) => `快照 ${id}`,
    restore: '恢复',
    fork: '分支',
    forkOf: (id: string) => `分支 ${id}`,
    open: '打开',
    stop: '停止',
    seed: '随机种子',
    seedWhy: (seed: number) => `COXSWAIN_SEED=${seed} 可重现此次运行。`,
    note: '恢复会还原对象、组件和节点，并清除故障。时间继续前进。分支是内容相同的另一个集群，有自己的页面。',
  },
);

interface SnapshotsPanelProps {
  readonly seed: number;
  readonly forks: readonly TestFork[];
  readonly isBusy: boolean;
}

export function SnapshotsPanel({ seed, forks, isBusy }: SnapshotsPanelProps) {
  const unless = whileBusy(isBusy);
  return (
    <section class="panel" aria-labelledby="snapshots-title">
      <div class="panel-head">
        <h2 id="snapshots-title">{text().title}</h2>
        <div class="test-tools">
          <Button unless={unless} onPress={() => detach(forkOf(undefined))}>
            {text().fork}
          </Button>
          <Button icon="plus" unless={unless} onPress={() => detach(takeSnapshot())}>
            {text().take}
          </Button>
        </div>
      </div>
      <ul class="test-list">
        <li>
          <span class="tool-note">{text().beginning}</span>
          <Button unless={unless} onPress={() => detach(act('POST', 'reset'))}>
            {text().restore}
          </Button>
        </li>
        {snapshots.value.map(({ id, now }) => (
          <li key={id}>
            <span>{text().one(id)}</span>
            <time class="panel-note tool-note">{inSeconds(now)}</time>
            <Button unless={unless} onPress={() => detach(forkOf(id))}>
              {text().fork}
            </Button>
            <Button unless={unless} onPress={() => detach(act('POST', 'reset', { snapshot: id }))}>
              {text().restore}
            </Button>
          </li>
        ))}
        {forks.map(({ id, now }) => (
          <li key={`fork ${id}`}>
            <span>{text().forkOf(id)}</span>
            <time class="panel-note tool-note">{inSeconds(now)}</time>
            <Button unless={unless} onPress={() => detach(openFork(id))}>
              {text().open}
            </Button>
            <Button kind="danger" unless={unless} onPress={() => detach(act('DELETE', `forks/${id}`))}>
              {text().stop}
            </Button>
          </li>
        ))}
        <li>
          <span>{text().seed}</span>
          <code class="tool-note">{seed}</code>
        </li>
      </ul>
      <p class="panel-note test-note">
        {text().note} {text().seedWhy(seed)}
      </p>
    </section>
  );
}

/** `2026-01-01 10:00:00` */
const inSeconds = (time: string): string => time.slice(0, 19).replace('T', ' ');
