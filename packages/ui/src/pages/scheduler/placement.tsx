import { explainPlacement, type PlacementExplanation } from '@coxswain/kube-scheduler/explain-placement.ts';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../../cluster/cluster.ts';
import { Button } from '../../controls/button.tsx';
import { Failed, Loading } from '../../controls/notice.tsx';
import { Badge } from '../../controls/tone.tsx';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import { NodeRefusals } from './node-refusals.tsx';
import { NodeScores } from './node-scores.tsx';
import { obstaclesOf } from './obstacles.ts';
import { ToChange } from './to-change.tsx';

const text = inLanguages(
  {
    fits: (fitting: number, all: number) => `fits ${fitting} of ${all} nodes`,
    heldBack: 'held back before any node is considered',
    placed: (node: string) => `on ${node}`,
    again: 'Check again',
    note: 'Every plugin is evaluated for every node in its current state. Nothing is written.',
  },
  {
    fits: (fitting: number, all: number) => `${all} 个节点中有 ${fitting} 个适合`,
    heldBack: '在检查节点之前被拦下',
    placed: (node: string) => `位于 ${node}`,
    again: '重新检查',
    note: '按节点的当前状态逐一评估每个插件，不写入任何内容。',
  },
);

interface PlacementProps {
  readonly namespace: string;
  readonly name: string;
  /** A different revision needs a new explanation. */
  readonly revision: string;
}

export function Placement({ namespace, name, revision }: PlacementProps) {
  const [explained, setExplained] = useState<PlacementExplanation | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let isWanted = true;
    explainPlacement({ client, namespace, name }).then(
      (answer) => {
        if (!isWanted) return;
        setExplained(answer);
        setFailure(undefined);
      },
      (reason: unknown) => isWanted && setFailure(reason),
    );
    return () => void (isWanted = false);
  }, [revision, times]);
  if (failure !== undefined) return <Failed failure={failure} />;
  if (explained === undefined) return <Loading lines={10} />;
  const { heldBack, nodes, nodeName } = explained;
  const fitting = nodes.filter(({ refusals }) => refusals.length === 0);
  const refusing = nodes.filter(({ refusals }) => refusals.length > 0);
  const pods = { group: '', version: 'v1', resource: 'pods' };
  return (
    <div class="page placement">
      <div class="page-head">
        <h1 class="truncated">
          <a class="link" href={objectPath(pods, namespace, name)}>
            {name}
          </a>
        </h1>
        {nodeName !== '' && <Badge tone="ok">{text().placed(nodeName)}</Badge>}
        <Badge tone={heldBack.length === 0 && fitting.length > 0 ? 'ok' : 'bad'}>
          {heldBack.length > 0 ? text().heldBack : text().fits(fitting.length, nodes.length)}
        </Badge>
        <span class="tool-note" />
        <Button icon="restart" onPress={() => setTimes(times + 1)}>
          {text().again}
        </Button>
      </div>
      {heldBack.length > 0 && <ToChange obstacles={[{ refusals: heldBack, nodes: [] }]} />}
      {heldBack.length === 0 && fitting.length === 0 && <ToChange obstacles={obstaclesOf(nodes)} />}
      {fitting.length > 0 && <NodeScores nodes={fitting} />}
      {refusing.length > 0 && <NodeRefusals nodes={refusing} />}
      <p class="panel-note">{text().note}</p>
    </div>
  );
}
