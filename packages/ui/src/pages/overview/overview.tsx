/** The cluster at a glance: where its pods are, what is unhealthy and why, and what has just changed. */

import { useMemo } from 'preact/hooks';
import { useLive } from '../../cluster/use-live.ts';
import { Failed, Loading } from '../../controls/notice.tsx';
import { mapNodes } from './nodes.ts';
import { mapPods } from './pods.ts';
import { useWorkloads } from './workloads.ts';
import { overviewEvents } from './overview-events.ts';
import { PodMap } from './pod-map/pod-map.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { Summary } from './summary.tsx';
import { Traffic } from './traffic/traffic.tsx';
import { Unhealthy } from './unhealthy.tsx';
import './overview.css';

export default function Overview() {
  const pods = useLive(mapPods);
  const nodes = useLive(mapNodes);
  const events = useLive(overviewEvents);
  const workloads = useWorkloads();
  // Each part is redrawn only when its own data changes.
  const summary = useMemo(
    () => <Summary pods={pods.objects} nodes={nodes.objects} workloads={workloads} />,
    [pods.objects, nodes.objects, workloads],
  );
  const isComplete = pods.phase !== 'loading';
  const map = useMemo(
    () => <PodMap pods={pods.objects} nodes={nodes.objects} isComplete={isComplete} />,
    [pods.objects, nodes.objects, isComplete],
  );
  const unhealthy = useMemo(
    () => <Unhealthy pods={pods.objects} nodes={nodes.objects} workloads={workloads} />,
    [pods.objects, nodes.objects, workloads],
  );
  const changes = useMemo(
    () => <RecentChanges events={events.objects} workloads={workloads} />,
    [events.objects, workloads],
  );
  if (pods.phase === 'failed' && nodes.phase === 'failed') return <Failed failure={pods.failure} />;
  if (pods.phase === 'loading' && pods.objects.size === 0) return <Loading lines={12} />;
  return (
    <div class="page overview">
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
