/** Policies follow the API: labels, policies and pods change while packets flow between network namespaces. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { nftBy } from '@coxswain/nftables';
import { NftTable, startNetworkPolicies, type RunningNetworkPolicies } from '@coxswain/network-policy';
import { startCluster, type Cluster } from 'coxswain/cluster/cluster.ts';
import {
  nodeHost,
  startNetworkLab,
  whyNoLab,
  type NetworkLab,
} from '../../packages/network-policy/test/network-lab.ts';

const why = whyNoLab();
const labTest = test.skipIf(why !== undefined);
const patienceMs = 60_000;
const port = 80;

let lab: NetworkLab;
let cluster: Cluster;
let client: KubeClient;
let policies: RunningNetworkPolicies;
let stopping: AbortController;

const startPolicies = async (): Promise<void> => {
  stopping = new AbortController();
  policies = startNetworkPolicies({
    client,
    nodeName: 'node',
    table: new NftTable({ run: nftBy(lab.nft) }),
    signal: stopping.signal,
  });
  await policies.synced;
};

beforeAll(async () => {
  if (why !== undefined) return;
  lab = await startNetworkLab(['web', 'friend', 'stranger'], [port]);
  cluster = await startCluster({ nodes: 0, controllers: [], scheduler: false });
  client = cluster.client();
  await client.resource<KubeObject>('v1', 'nodes').create({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node' },
  });
  const accounts = client.resource<KubeObject>('v1', 'serviceaccounts').namespace('default');
  await accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  for (const name of ['web', 'friend', 'stranger']) {
    await pods().create(podNamed(name));
    await pods().patch(name, runningAt(lab.host(name).ipv4), { subresource: 'status' });
  }
  await startPolicies();
}, patienceMs);

afterAll(async () => {
  stopping?.abort();
  await policies?.stopped;
  await cluster?.stop();
  await lab?.stop();
}, patienceMs);

const pods = () => client.resource<KubeObject>('v1', 'pods').namespace('default');
const networkPolicies = () =>
  client.resource<KubeObject>('networking.k8s.io/v1', 'networkpolicies').namespace('default');

const podNamed = (name: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: { nodeName: 'node', containers: [{ name: 'c', image: 'i' }] },
  }) as KubeObject;

const runningAt = (ip: string) => ({ status: { phase: 'Running', podIP: ip, podIPs: [{ ip }] } });

const fromFriends = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'friends' },
  spec: {
    podSelector: { matchLabels: { app: 'web' } },
    ingress: [{ from: [{ podSelector: { matchLabels: { app: 'friend' } } }] }],
  },
} as KubeObject;

/** Who reaches the pod `web` in the end. */
const expectReached = async (reached: Readonly<Record<string, boolean>>): Promise<void> => {
  const attempts = Object.entries(reached).map(([from, isExpected]) => ({
    from,
    to: 'web',
    port,
    protocol: 'TCP' as const,
    isExpected,
  }));
  await expect.poll(() => lab.wrong(attempts), { timeout: 15_000 }).toEqual([]);
};

labTest(
  'a policy comes, labels change, the policy goes',
  async () => {
    await expectReached({ friend: true, stranger: true });
    await networkPolicies().create(fromFriends);
    await expectReached({ friend: true, stranger: false, [nodeHost]: true });
    await pods().patch('stranger', { metadata: { labels: { app: 'friend' } } });
    await pods().patch('friend', { metadata: { labels: { app: 'no-more' } } });
    await expectReached({ friend: false, stranger: true });
    await networkPolicies().delete('friends');
    await expectReached({ friend: true, stranger: true });
  },
  patienceMs,
);

labTest(
  'rules stay in effect while nobody keeps them, and what was missed is made up for',
  async () => {
    await networkPolicies().create(fromFriends);
    await expectReached({ friend: false, stranger: true });
    stopping.abort();
    await policies.stopped;
    await pods().patch('friend', { metadata: { labels: { app: 'friend' } } });
    await pods().patch('stranger', { metadata: { labels: { app: 'stranger' } } });
    await expectReached({ friend: false, stranger: true });
    await startPolicies();
    await expectReached({ friend: true, stranger: false });
  },
  patienceMs,
);

labTest(
  'a pod is protected at the addresses that it was just given, before its status tells them',
  async () => {
    await pods().delete('web', { gracePeriodSeconds: 0 });
    await expectReached({ stranger: true });
    const web = await pods().create(podNamed('web'));
    await policies.protect(web as Parameters<typeof policies.protect>[0], [lab.host('web').ipv4]);
    const attempt = { from: 'stranger', to: 'web', port, protocol: 'TCP' as const, isExpected: false };
    expect(await lab.wrong([attempt])).toEqual([]);
  },
  patienceMs,
);
