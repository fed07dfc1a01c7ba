import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { UserInfo } from '@coxswain/apiserver';
import { afterEach, describe, expect, test } from 'vitest';
import { startedServer, type StartedServer } from '../../testing/started-server.ts';
import { NodeGraph } from './node-graph.ts';

const podOf = (name: string, node: string, spec: object, metadata: object = {}): Pod =>
  ({
    metadata: { namespace: 'ns', name, ...metadata },
    spec: { nodeName: node, containers: [], ...spec },
  }) as unknown as Pod;

const claimVolume = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'claim' } }] };
const boundVolume = {
  metadata: { name: 'pv' },
  spec: {
    claimRef: { namespace: 'ns', name: 'claim' },
    csi: { nodePublishSecretRef: { namespace: 'vault', name: 'key' } },
  },
} as unknown as PersistentVolume;

describe('the graph', () => {
  test('relates a node to the objects that its pods use, while any of them exists', () => {
    const graph = new NodeGraph();
    const secret = { volumes: [{ name: 's', secret: { secretName: 'shared' } }] };
    graph.putPod(podOf('a', 'n1', secret));
    graph.putPod(podOf('b', 'n1', secret));

    graph.remove('pod', 'ns', 'a');
    const while1 = graph.isRelated('n1', 'secret', 'ns', 'shared');
    graph.remove('pod', 'ns', 'b');

    expect([while1, graph.isRelated('n1', 'secret', 'ns', 'shared')]).toEqual([true, false]);
    expect(graph.isRelated('n2', 'secret', 'ns', 'shared')).toBe(false);
  });

  test('leads through a claim to its volume and the volume’s secret', () => {
    const graph = new NodeGraph();
    graph.putVolume(boundVolume);
    graph.putPod(podOf('a', 'n1', claimVolume));

    const related = [
      graph.isRelated('n1', 'pvc', 'ns', 'claim'),
      graph.isRelated('n1', 'pv', '', 'pv'),
      graph.isRelated('n1', 'secret', 'vault', 'key'),
      graph.isRelated('n2', 'pv', '', 'pv'),
    ];
    graph.removeVolume('pv');

    expect(related).toEqual([true, true, true, false]);
    expect(graph.isRelated('n1', 'secret', 'vault', 'key')).toBe(false);
  });

  test('opens nothing through a mirror pod, which the node made itself', () => {
    const graph = new NodeGraph();
    const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
    graph.putPod(podOf('a', 'n1', { imagePullSecrets: [{ name: 's' }] }, mirror));

    expect(graph.isRelated('n1', 'pod', 'ns', 'a')).toBe(true);
    expect(graph.isRelated('n1', 'secret', 'ns', 's')).toBe(false);
  });
});

describe('a kubelet', () => {
  let server: StartedServer;
  afterEach(() => server.stop());

  const kubelet = (name: string): UserInfo => ({
    name: `system:node:${name}`,
    groups: ['system:nodes', 'system:authenticated'],
  });
  const json = 'application/json';
  const start = async () =>
    (server = await startedServer({
      authorizationModes: ['Node', 'RBAC'],
      enableAdmissionPlugins: ['NodeRestriction'],
    }));
  const pods = '/api/v1/namespaces/default/pods';
  const runPod = async (name: string, node: string, spec: object = {}) => {
    const body = {
      metadata: { name },
      spec: { nodeName: node, containers: [{ name: 'c', image: 'i' }], ...spec },
    };
    return (await server.send('POST', pods, body)).body.metadata.uid!;
  };

  test('reads a secret from the moment that a pod on its node needs it', async () => {
    await start();
    const secrets = '/api/v1/namespaces/default/secrets';
    await server.send('POST', secrets, { metadata: { name: 's' } });
    const read = () => server.send('GET', `${secrets}/s`, undefined, json, kubelet('a'));

    const before = await read();
    await runPod('p', 'a', { volumes: [{ name: 'v', secret: { secretName: 's' } }] });
    const after = await read();

    expect(before.body.message).toContain("no relationship found between node 'a' and this object");
    expect(after.status).toBe(200);
  });

  test('gets tokens only for pods that run on its node, and for their audiences', async () => {
    await start();
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.send('POST', accounts, { metadata: { name: 'sa' } });
    const uid = await runPod('p', 'a', { serviceAccountName: 'sa' });
    const ask = (node: string, spec: object) =>
      server.send('POST', `${accounts}/sa/token`, { spec: { audiences: [], ...spec } }, json, kubelet(node));
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid };

    const unbound = await ask('a', {});
    const elsewhere = await ask('b', { boundObjectRef });
    const foreign = await ask('a', { boundObjectRef, audiences: ['vault'] });

    expect(unbound.body.message).toContain('node requested token not bound to a pod');
    expect(elsewhere.body.message).toContain("no relationship found between node 'b' and this object");
    expect(foreign.body.message).toContain(
      'audience "vault" not found in pod spec volume, system:node:a is not authorized to request tokens for this audience',
    );
  });

  test('may write its own lease and CSINode only', async () => {
    await start();
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const write = (path: string, name: string) =>
      server.send('POST', path, { metadata: { name }, spec: {} }, json, kubelet('a'));

    const own = await write(leases, 'a');
    const other = await write(leases, 'b');
    const elsewhere = await write('/apis/coordination.k8s.io/v1/namespaces/default/leases', 'a');

    expect(own.status).toBe(201);
    expect(other.body.message).toContain(
      'can only access node lease with the same name as the requesting node',
    );
    expect(elsewhere.body.message).toContain(
      'can only access leases in the "kube-node-lease" system namespace',
    );
  });

  test('publishes and lists resource slices of its own only', async () => {
    await start();
    const slices = '/apis/resource.k8s.io/v1/resourceslices';
    const slice = (nodeName: string) => ({
      metadata: { name: `slice-${nodeName}` },
      spec: {
        nodeName,
        driver: 'd.example.com',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [],
      },
    });

    const own = await server.send('POST', slices, slice('a'), json, kubelet('a'));
    const other = await server.send('POST', slices, slice('b'), json, kubelet('a'));
    const listed = await server.send(
      'GET',
      `${slices}?fieldSelector=spec.nodeName%3Da`,
      undefined,
      json,
      kubelet('a'),
    );
    const all = await server.send('GET', slices, undefined, json, kubelet('a'));
    const removed = await server.send('DELETE', `${slices}/slice-a`, undefined, json, kubelet('a'));

    expect([own.status, other.status, listed.status, all.status, removed.status]).toEqual([
      201, 403, 200, 403, 200,
    ]);
    expect(other.body.message).toContain(
      'can only create ResourceSlice with the same NodeName as the requesting node',
    );
  });
});
