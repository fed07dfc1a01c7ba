/** What the tour is about, done once in a cluster of this process, and recorded. */

import { Resolver } from 'node:dns/promises';
import { startClusterDns } from '../../packages/cluster-dns/src/index.ts';
import { isStatusError, scopeOf, systemClock, systemRandom } from '../../packages/apimachinery/src/index.ts';
import { startCluster, type Cluster } from '../../packages/coxswain/src/cluster/cluster.ts';
import { nodeRecorder } from '../../packages/coxswain/src/trace/node-recorder.ts';
import { tracedProxy } from '../../packages/coxswain/src/tracing/traced-proxy.ts';
import { runKubectl } from '../../packages/kubectl/src/index.ts';
import { processIo } from '../../packages/kubectl/src/process-io.ts';
import type { Recorder } from '../../packages/trace/src/recorder.ts';
import type { Recording } from '../../packages/trace/src/recording.ts';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.tour.example' },
  spec: {
    group: 'tour.example',
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const boat = { apiVersion: 'tour.example/v1', kind: 'Boat', metadata: { name: 'a' } };

export async function recordTour(): Promise<Recording> {
  const recorder = nodeRecorder();
  const cluster = await startCluster({ observer: recorder.observer, nodes: 1, leaderElection: true });
  const stopping = new AbortController();
  try {
    const kubectl = commandLine(cluster, recorder);
    await kubectl('create deployment web --image=nginx');
    await kubectl('rollout status deployment/web', { isSeen: false });
    await kubectl('get pods');
    await kubectl('get --raw /api/v1/namespaces/default/pods?watch=true&timeoutSeconds=1');
    await kubectl(`exec ${await firstPod(cluster)} -- hostname`);
    const proxy = tracedProxy(cluster, 'node-0', recorder.observer, stopping.signal);
    await proxy.synced;
    await mount(cluster);
    await kubectl('wait --for=condition=Ready pod/box', { isSeen: false });
    await kubectl('delete pod box');
    await lookUp(cluster, recorder, stopping.signal);
    stopping.abort();
    await proxy.stopped;
    await extend(cluster);
  } finally {
    stopping.abort();
    await cluster.stop();
  }
  return recorder.recording();
}

function commandLine(cluster: Cluster, recorder: Recorder) {
  const io = processIo();
  const nowhere = { write: () => true };
  return (line: string, { isSeen = true } = {}): Promise<number> =>
    runKubectl(line.split(' '), {
      ...io,
      out: nowhere,
      err: nowhere,
      clock: systemClock,
      random: systemRandom,
      signal: new AbortController().signal,
      transport: cluster.transport(),
      observer: isSeen
        ? scopeOf(recorder.observer, () => ({
            kind: 'command',
            component: 'kubectl',
            name: `kubectl ${line}`,
          }))
        : undefined,
    });
}

async function firstPod(cluster: Cluster): Promise<string> {
  const { items } = await cluster.client().resource('v1', 'pods').namespace('default').list();
  return items[0]!.metadata.name!;
}

/** A name server of its own is asked for one name. */
async function lookUp(cluster: Cluster, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const { observer } = recorder;
  const listen = { host: '127.0.0.1', port: 0 };
  const { address } = await startClusterDns({ client: cluster.client(), listen, signal, observer });
  const resolver = new Resolver();
  resolver.setServers([`${address.host}:${address.port}`]);
  await resolver.resolve4('kubernetes.default.svc.cluster.local');
}

/** A pod with a volume of its own, one of a ConfigMap and one that is claimed. */
async function mount(cluster: Cluster): Promise<void> {
  const client = cluster.client();
  const here = (plural: string) => client.resource('v1', plural).namespace('default');
  const size = { storage: '1Gi' };
  const common = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  await client.resource('v1', 'persistentvolumes').create({
    metadata: { name: 'disk' },
    spec: { ...common, capacity: size, hostPath: { path: '/disk' } },
  } as object);
  await here('configmaps').create({ metadata: { name: 'settings' }, data: { colour: 'blue' } } as object);
  await here('persistentvolumeclaims').create({
    metadata: { name: 'data' },
    spec: { ...common, resources: { requests: size } },
  } as object);
  const volumes = {
    scratch: { emptyDir: {} },
    settings: { configMap: { name: 'settings' } },
    data: { persistentVolumeClaim: { claimName: 'data' } },
  };
  const volumeMounts = Object.keys(volumes).map((name) => ({ name, mountPath: `/${name}` }));
  await here('pods').create({
    metadata: { name: 'box' },
    spec: {
      containers: [{ name: 'box', image: 'nginx', volumeMounts }],
      volumes: Object.entries(volumes).map(([name, source]) => ({ name, ...source })),
    },
  } as object);
}

async function extend(cluster: Cluster): Promise<void> {
  const client = cluster.client();
  const definitions = client.resource('apiextensions.k8s.io/v1', 'customresourcedefinitions');
  await definitions.create(definition);
  const boats = client.resource('tour.example/v1', 'boats').namespace('default');
  await untilServed(() => boats.create(boat));
}

/** The path of a new resource is not found until its definition is established. */
async function untilServed(create: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      return void (await create());
    } catch (failure) {
      if (!isStatusError(failure, 'NotFound')) throw failure;
      await systemClock.sleep(10);
    }
  }
}
