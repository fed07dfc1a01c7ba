/** Controls a test cluster: its time, its faults, its nodes and components, and its snapshots. */

import { useLive } from '../../cluster/use-live.ts';
import { Failed, Loading } from '../../controls/notice.tsx';
import { mapNodes } from '../overview/nodes.ts';
import { ClockPanel } from './clock-panel.tsx';
import { ComponentsPanel } from './components-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { NodesPanel } from './nodes-panel.tsx';
import { SnapshotsPanel } from './snapshots-panel.tsx';
import { useTesting } from './testing-calls.ts';
import './test-cluster.css';

export default function TestClusterPage() {
  const { state, failure, isBusy } = useTesting();
  const { objects } = useLive(mapNodes);
  if (state === undefined) return failure === undefined ? <Loading /> : <Failed failure={failure} />;
  const health = new Map([...objects.values()].map(({ metadata, health }) => [metadata.name, health]));
  return (
    <div class="page test-cluster" aria-busy={isBusy}>
      <div class="overview-column">
        <ClockPanel now={state.now} isBusy={isBusy} />
        <NodesPanel nodes={state.nodes} health={health} isBusy={isBusy} />
        <FaultsPanel faults={state.faults} isBusy={isBusy} />
      </div>
      <div class="overview-column">
        <SnapshotsPanel seed={state.seed} forks={state.forks} isBusy={isBusy} />
        <ComponentsPanel components={state.components} isBusy={isBusy} />
      </div>
    </div>
  );
}
