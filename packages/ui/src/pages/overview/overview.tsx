/** The cluster at a glance: where its pods are, what is unhealthy and why, and what has just changed. */

import { useMemo } from 'preact/hooks';
import type { LiveState } from '../../cluster/live-objects.ts';
import { useLive } from '../../cluster/use-live.ts';
import { Failed, Loading } from '../../controls/notice.tsx';
import { inLanguages } from '../../language/language.ts';
import { mapNodes } from './nodes.ts';
import { mapPods } from './pods.ts';
import { useWorkloads, type KindOfWorkloads } from './workloads.ts';
import { overviewEvents } from './overview-events.ts';
import { PodMap } from './pod-map/pod-map.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { Summary } from './summary.tsx';
import { Traffic } from './traffic/traffic.tsx';
import { Unhealthy } from './unhealthy.tsx';
import './overview.css';

const text = inLanguages(
  { unread: (kinds: string) => `Not shown because you may not list them, or reading failed: ${kinds}.` },
  { unread: (kinds: string) => `未显示（你无权列出或读取失败）：${kinds}。` },
);

export default function Overview() {
  const pods = useLive(mapPods());
  const nodes = useLive(mapNodes);
  const events = useLive(overviewEvents());
  const workloads = useWorkloads();
  const isWithoutNodes = nodes.phase === 'failed' && nodes.objects.size === 0;
  // Each part is redrawn only when its own data changes.
  const summary = useMemo(
    () => (
      <Summary pods={pods.objects} nodes={isWithoutNodes ? undefined : nodes.objects} workloads={workloads} />
    ),
    [pods.objects, nodes.objects, isWithoutNodes, workloads],
  );
  const isComplete = pods.phase !== 'loading';
  const map = useMemo(
    () => (
      <PodMap
        pods={pods.objects}
        nodes={nodes.objects}
        isComplete={isComplete}
        isWithoutNodes={isWithoutNodes}
      />
    ),
    [pods.objects, nodes.objects, isComplete, isWithoutNodes],
  );
  const unhealthy = useMemo(
    () => (
      <Unhealthy pods={pods.objects} nodes={nodes.objects} workloads={workloads} events={events.objects} />
    ),
    [pods.objects, nodes.objects, workloads, events.objects],
  );
  const changes = useMemo(
    () => <RecentChanges events={events.objects} workloads={workloads} />,
    [events.objects, workloads],
  );
  if (pods.phase === 'failed' && nodes.phase === 'failed') return <Failed failure={pods.failure} />;
  if (pods.phase === 'loading' && pods.objects.size === 0) return <Loading lines={12} />;
  const unread = unreadKinds({ Pod: pods, Node: nodes, Event: events }, workloads);
  return (
    <div class="page overview">
      {unread.length > 0 && (
        <p class="panel-note" role="status">
          {text().unread(unread.join(', '))}
        </p>
      )}
      {summary}
      <div class="overview-columns">
        <div class="overview-column">
          {map}
          <Traffic />
        </div>
        <div class="overview-column">
          {unhealthy}
          {changes}
        </div>
      </div>
    </div>
  );
}

type Phase = Pick<LiveState<unknown>, 'phase'>;

function unreadKinds(
  read: Readonly<Record<string, Phase>>,
  workloads: readonly KindOfWorkloads[],
): readonly string[] {
  const all = [
    ...Object.entries(read),
    ...workloads.map(({ resource, state }): [string, Phase] => [resource.kind, state]),
  ];
  return all.filter(([, { phase }]) => phase === 'failed').map(([kind]) => kind);
}
