/** The cluster at a glance: where its pods are, what is not well and why, and what has just changed. */

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
  if (pods.phase === 'failed' && nodes.phase === 'failed') return <Failed failure={pods.failure} />;
  if (pods.phase === 'loading' && pods.objects.size === 0) return <Loading lines={12} />;
  return (
    <div class="page overview">
      <Summary pods={pods.objects} nodes={nodes.objects} workloads={workloads} />
      <div class="overview-columns">
        <div class="overview-column">
          <PodMap pods={pods.objects} nodes={nodes.objects} isComplete={pods.phase !== 'loading'} />
          <Traffic />
        </div>
        <div class="overview-column">
          <Unhealthy pods={pods.objects} nodes={nodes.objects} workloads={workloads} />
          <RecentChanges events={events.objects} workloads={workloads} />
        </div>
      </div>
    </div>
  );
}
