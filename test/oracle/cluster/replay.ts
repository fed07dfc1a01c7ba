/** Replays recorded scenarios on a control plane of this process, in virtual time, and tells what came of them otherwise. */
import { differencesOf, type Difference } from '../../../packages/kube-apiserver/test/oracle/differences.ts';
import type { CaseResult } from '../../../packages/kube-apiserver/test/oracle/replay.ts';
import { Player, type Cluster } from '../../differential/cluster/player.ts';
import type { JsonObject, NodeSpec, Seen } from '../../differential/cluster/scenario.ts';
import { ScenarioKubelet } from '../../differential/cluster/scenario-kubelet.ts';
import type { ClusterArea, RecordedScenario } from './areas.ts';
import { startControlPlane } from './control-plane.ts';

const settleMs = 20_000;

/** Scenarios that may be seen otherwise, and why. */
const knownDifferences: Readonly<Record<string, string>> = {
  'misc/service-cidr-default': 'the addresses of Services have a range of their own',
  'misc/system-objects-at-start': 'controllers of this process need no service accounts',
  'daemonset/rolling-update-surge': 'of two pods made in one second, the name decides which one counts',
  'node/daemon-pod-survives': 'the taint and the status of the pod are written in one instant of virtual time',
};

export async function replayCluster({ area, server, cases }: ClusterArea): Promise<CaseResult[]> {
  const { client, kubeletClient, stop } = await startControlPlane(server.kcm ?? {});
  const kubelet = new ScenarioKubelet(kubeletClient);
  if (server.beatMs !== undefined) kubelet.beatMs = server.beatMs;
  kubelet.start();
  const cluster: Cluster = { name: 'ours', client, kubelet, settleMs };
  const results: CaseResult[] = [];
  const play = async (one: RecordedScenario) =>
    void results.push(judge(area, one, await new Player(cluster, one).play()));
  const shared = cases.filter(({ nodes }) => nodes === undefined);
  if (shared.length > 0) {
    for (const node of sharedNodes) await kubelet.addNode(node);
    for (const one of shared) await play(one);
    for (const { name } of sharedNodes) await kubelet.removeNode(name);
  }
  for (const one of cases.filter(({ nodes }) => nodes !== undefined)) await play(one);
  kubelet.stop();
  await stop();
  return results;
}

const sharedNodes: readonly NodeSpec[] = ['pool-1', 'pool-2', 'pool-3'].map((name) => ({
  name,
  labels: { 'topology.kubernetes.io/zone': 'z1' },
  allocatable: { cpu: '64', memory: '256Gi', pods: '500' },
}));

function judge(area: string, { name, answers, unstable = [] }: RecordedScenario, seen: readonly Seen[]): CaseResult {
  const isSteady = ({ path }: Difference) =>
    !unstable.some((beginning) => path.startsWith(beginning));
  const differences = differencesOf(answers.map(withoutCounts), seen.map(withoutCounts), '').filter(isSteady);
  const broken = seen.find(({ step }) => step === 'broken off');
  const isKnown = knownDifferences[`${area}/${name}`] !== undefined;
  return {
    area,
    name,
    failures: differences.length === 0 || isKnown ? [] : [{ step: 'seen', request: '', differences }],
    ...(broken && { problem: String(broken['error']) }),
  };
}

/** How often something was told is a matter of timing. */
function withoutCounts(step: Seen): Seen {
  const { events } = step as { readonly events?: readonly JsonObject[] };
  if (events === undefined) return step;
  return { ...step, events: events.map(({ n: _n, ...event }) => JSON.parse(JSON.stringify(event)) as JsonObject) };
}
