import { Button } from '../../controls/button.tsx';
import { inLanguages } from '../../language/language.ts';
import { whileBusy } from './busy.ts';
import { act, snapshots, takeSnapshot } from './testing-calls.ts';

const text = inLanguages(
  {
    title: 'Snapshots',
    take: 'Take a snapshot',
    beginning: 'The beginning',
    one: (id: string) => `Snapshot ${id}`,
    restore: 'Go back',
    seed: 'Seed',
    seedWhy: (seed: number) => `COXSWAIN_SEED=${seed} repeats this run.`,
    note: 'Going back restores objects, components and nodes, and removes faults. Time goes on.',
  },
  {
    title: '快照',
    take: '创建快照',
    beginning: '初始状态',
    one: (id: string) => `快照 ${id}`,
    restore: '恢复',
    seed: '随机种子',
    seedWhy: (seed: number) => `COXSWAIN_SEED=${seed} 可重现此次运行。`,
    note: '恢复会还原对象、组件和节点，并清除故障。时间继续前进。',
  },
);

export function SnapshotsPanel({ seed, isBusy }: { readonly seed: number; readonly isBusy: boolean }) {
  const unless = whileBusy(isBusy);
  return (
    <section class="panel" aria-labelledby="snapshots-title">
      <div class="panel-head">
        <h2 id="snapshots-title">{text().title}</h2>
        <Button icon="plus" unless={unless} onPress={() => void takeSnapshot()}>
          {text().take}
        </Button>
      </div>
      <ul class="test-list">
        <li>
          <span class="tool-note">{text().beginning}</span>
          <Button unless={unless} onPress={() => void act('POST', 'reset')}>
            {text().restore}
          </Button>
        </li>
        {snapshots.value.map(({ id, now }) => (
          <li key={id}>
            <span>{text().one(id)}</span>
            <time class="panel-note tool-note">{now.slice(0, 19).replace('T', ' ')}</time>
            <Button unless={unless} onPress={() => void act('POST', 'reset', { snapshot: id })}>
              {text().restore}
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
