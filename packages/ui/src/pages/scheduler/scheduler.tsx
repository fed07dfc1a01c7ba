/** Pods without a node, and the reasons. */

import { useLive } from '../../cluster/use-live.ts';
import { Ago } from '../../controls/ago.tsx';
import { ElidedName } from '../../controls/elided-name.tsx';
import { Empty, Failed, Loading } from '../../controls/notice.tsx';
import { Badge } from '../../controls/tone.tsx';
import { useSteps } from '../../controls/use-steps.ts';
import { inLanguages } from '../../language/language.ts';
import { placementPath, segmentsOf } from '../../navigation/paths.ts';
import { currentPath, go } from '../../navigation/route.ts';
import { Placement } from './placement.tsx';
import { unplacedPods, type UnplacedPod } from './unplaced-pods.ts';
import './scheduler.css';

const text = inLanguages(
  {
    title: 'Pods without a node',
    none: 'Every pod has its node',
    noneWhy: 'Pods that cannot be scheduled appear here with the reason.',
    noneLeft: 'No pod is waiting for a node.',
    gated: 'Gated',
    waiting: 'Pending',
    untried: 'The scheduler has not tried it yet.',
  },
  {
    title: '未分配节点',
    none: '所有 Pod 都已分配节点',
    noneWhy: '一旦出现无法调度的 Pod，会在这里显示及说明原因。',
    noneLeft: '没有等待节点的 Pod。',
    gated: '受门控',
    waiting: '等待中',
    untried: '调度器尚未尝试。',
  },
);

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 };

export default function Scheduler() {
  const { objects, phase, failure } = useLive(unplacedPods());
  const pods = [...objects.values()].toSorted(longestFirst);
  const [namespace = '', name = ''] = segmentsOf(currentPath.value);
  const chosen = name === '' ? undefined : { namespace, name };
  const first = pods[0]?.metadata;
  const shown = chosen ?? (first && { namespace: first.namespace ?? '', name: first.name ?? '' });
  const index = pods.findIndex(({ metadata }) => isNamed(metadata, shown));
  useSteps(steps, (step) => {
    const next = pods[index + step]?.metadata;
    if (next !== undefined) go(placementPath(next.namespace, next.name ?? ''), { replace: true });
  });
  if (phase === 'failed') return <Failed failure={failure} />;
  if (phase === 'loading' && pods.length === 0) return <Loading />;
  if (shown === undefined) return <Empty title={text().none}>{text().noneWhy}</Empty>;
  return (
    <div class="scheduler">
      <section class="unplaced" aria-labelledby="unplaced-title">
        <div class="panel-head">
          <h2 id="unplaced-title">{text().title}</h2>
          <span class="panel-note">{pods.length}</span>
        </div>
        {pods.length === 0 && <p class="all-well">{text().noneLeft}</p>}
        <ul>
          {pods.map((pod) => (
            <li key={pod.metadata.uid}>
              <PodLink pod={pod} isShown={isNamed(pod.metadata, shown)} />
            </li>
          ))}
        </ul>
      </section>
      <Placement
        key={placementPath(shown.namespace, shown.name)}
        {...shown}
        revision={pods[index]?.metadata.resourceVersion ?? ''}
      />
    </div>
  );
}

function PodLink({ pod, isShown }: { readonly pod: UnplacedPod; readonly isShown: boolean }) {
  const { metadata, isGated, message } = pod;
  return (
    <a
      href={placementPath(metadata.namespace, metadata.name ?? '')}
      aria-current={isShown ? 'page' : undefined}
    >
      <strong class="truncated">
        <ElidedName name={metadata.name ?? ''} />
      </strong>
      <span class="unplaced-note">
        <span class="truncated">
          {metadata.namespace} · <Ago time={metadata.creationTimestamp} />
        </span>
        <Badge tone={isGated ? 'idle' : 'warn'}>{isGated ? text().gated : text().waiting}</Badge>
      </span>
      <span class="unplaced-why">{message || text().untried}</span>
    </a>
  );
}

type Metadata = UnplacedPod['metadata'];

const isNamed = (
  metadata: Metadata,
  shown: { readonly namespace: string; readonly name: string } | undefined,
): boolean => metadata.namespace === shown?.namespace && metadata.name === shown?.name;

const longestFirst = ({ metadata: one }: UnplacedPod, { metadata: other }: UnplacedPod): number =>
  (one.creationTimestamp ?? '').localeCompare(other.creationTimestamp ?? '') ||
  (one.name ?? '').localeCompare(other.name ?? '');
