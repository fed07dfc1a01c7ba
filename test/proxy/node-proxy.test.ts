/** Real packets through real rules: a node, its pods, and a client outside, in network namespaces. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConntrackCleaner } from '@coxswain/kube-proxy/conntrack/conntrack-cleaner.ts';
import {
  planService,
  type EndpointSliceObject,
  type ServiceObject,
} from '@coxswain/kube-proxy/model/plan-services.ts';
import { removeTables } from '@coxswain/kube-proxy/nftables/family-table.ts';
import { kernelWriter } from '@coxswain/kube-proxy/nftables/kernel-writer.ts';
import type { TableOptions } from '@coxswain/kube-proxy/nftables/table-options.ts';
import type { RuleWriter } from '@coxswain/kube-proxy/rule-writer.ts';
import { addresses, NodeNetwork, podPort, whyNoNetwork, type Reply } from './node-network.ts';

const reason = whyNoNetwork();
const waitMsMax = 60_000;
const clusterIp = '10.96.0.10';
const outsideIp = '203.0.113.7';
const node = { name: 'node-a' };

const tables: readonly TableOptions[] = [
  {
    family: 'IPv4',
    masqueradeAll: false,
    masqueradeBit: 14,
    localTraffic: { isLocal: 'ip saddr 10.244.0.0/16', isNotLocal: 'ip saddr != 10.244.0.0/16' },
    nodeIp: addresses.node,
    serviceCidrs: ['10.96.0.0/12'],
  },
  {
    family: 'IPv6',
    masqueradeAll: false,
    masqueradeBit: 14,
    localTraffic: { isLocal: 'ip6 saddr fd00:244::/64', isNotLocal: 'ip6 saddr != fd00:244::/64' },
  },
];

interface Pod {
  readonly ip: string;
  readonly on?: string;
  readonly conditions?: object;
}

const podA: Pod = { ip: addresses.podA };
const podB: Pod = { ip: addresses.podB };

function planOf(pods: readonly Pod[], spec: object = {}, status: object = {}) {
  const port = { name: 'main', port: 80, protocol: 'TCP' };
  const service = {
    metadata: { name: 'web', namespace: 'default' },
    spec: { type: 'ClusterIP', clusterIP: clusterIp, ports: [port], ...spec },
    status,
  } as unknown as ServiceObject;
  const protocols = new Set((service.spec?.ports ?? []).map(({ protocol }) => protocol));
  const slices = (['IPv4', 'IPv6'] as const).map((addressType) => ({
    metadata: { name: addressType, namespace: 'default' },
    addressType,
    ports: [...protocols].map((protocol) => ({ name: 'main', port: podPort, protocol })),
    endpoints: pods
      .filter(({ ip }) => ip.includes(':') === (addressType === 'IPv6'))
      .map(({ ip, on = node.name, conditions }) => ({ addresses: [ip], nodeName: on, conditions })),
  })) as unknown as EndpointSliceObject[];
  return planService(service, slices, node);
}

const counted = (replies: readonly Reply[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { pod, error } of replies) counts[pod ?? error!] = (counts[pod ?? error!] ?? 0) + 1;
  return counts;
};

describe.runIf(reason === undefined)(
  `packets on a node ${reason ?? ''}`.trim(),
  { timeout: waitMsMax },
  () => {
    let network: NodeNetwork;
    let writer: RuleWriter;
    const newWriter = () =>
      kernelWriter({
        tables,
        run: network.nft,
        conntrack: new ConntrackCleaner({
          run: network.conntrack,
          onError(error) {
            throw error;
          },
        }),
      });
    const write = (...plan: Parameters<typeof planOf>) =>
      writer.write(new Map([['default/web', planOf(...plan)]]));

    beforeAll(async () => {
      network = await NodeNetwork.start();
      writer = newWriter();
    }, waitMsMax);
    afterAll(() => network?.stop());

    test(
      'a cluster address leads pods, the node and clients outside to every endpoint',
      async () => {
        await write([podA, podB]);

        for (const place of ['podA', 'node', 'client'] as const)
          expect(counted(await network.ask(place, { host: clusterIp, port: 80, count: 40 })), place).toEqual({
            podA: expect.any(Number),
            podB: expect.any(Number),
          });
      },
      waitMsMax,
    );

    test('a pod that reaches another keeps its address; one that reaches itself does not see its own', async () => {
      await write([podB]);
      expect(await network.ask('podA', { host: clusterIp, port: 80 })).toEqual([
        { pod: 'podB', client: addresses.podA },
      ]);
      expect(await network.ask('podB', { host: clusterIp, port: 80 })).toEqual([
        { pod: 'podB', client: '10.244.0.1' },
      ]);
    });

    test('a service without endpoints refuses at once, as do ports that it has not; unknown addresses are silent', async () => {
      await write([]);
      for (const place of ['podA', 'node', 'client'] as const)
        expect(await network.ask(place, { host: clusterIp, port: 80 }), place).toEqual([
          { error: 'ECONNREFUSED' },
        ]);
      await write([podA]);
      expect(await network.ask('podA', { host: clusterIp, port: 81 })).toEqual([{ error: 'ECONNREFUSED' }]);
      expect(await network.ask('podA', { host: '10.96.77.77', port: 80, timeoutMs: 300 })).toEqual([
        { error: 'TIMEOUT' },
      ]);
    });

    test('endpoints come and go, and each change is in effect when it is written', async () => {
      const seen = async () => counted(await network.ask('podB', { host: clusterIp, port: 80, count: 20 }));
      await write([podA]);
      expect(await seen()).toEqual({ podA: 20 });
      await write([podB]);
      expect(await seen()).toEqual({ podB: 20 });
      await write([podA, podB]);
      expect(Object.keys(await seen()).sort()).toEqual(['podA', 'podB']);
      // A pod that is leaving serves only when no other does.
      const leaving = { conditions: { ready: false, serving: true, terminating: true } };
      await write([{ ...podA, ...leaving }, podB]);
      expect(await seen()).toEqual({ podB: 20 });
      await write([{ ...podA, ...leaving }]);
      expect(await seen()).toEqual({ podA: 20 });
    });

    test('a node port answers clients outside, who are masqueraded', async () => {
      const ports = [{ name: 'main', port: 80, protocol: 'TCP', nodePort: 30_080 }];
      await write([podA, podB], { type: 'NodePort', ports });
      const replies = await network.ask('client', { host: addresses.node, port: 30_080, count: 30 });

      expect(Object.keys(counted(replies)).sort()).toEqual(['podA', 'podB']);
      expect(new Set(replies.map(({ client }) => client))).toEqual(new Set(['10.244.0.1']));
      expect(await network.ask('podA', { host: addresses.node, port: 30_080, count: 3 })).toHaveLength(3);
      await write([], { type: 'NodePort', ports });
      expect(await network.ask('client', { host: addresses.node, port: 30_080 })).toEqual([
        { error: 'ECONNREFUSED' },
      ]);
    });

    test('with the policy Local clients keep their address and reach this node only', async () => {
      const spec = {
        type: 'NodePort',
        externalTrafficPolicy: 'Local',
        ports: [{ name: 'main', port: 80, protocol: 'TCP', nodePort: 30_080 }],
      };
      await write([podA, { ...podB, on: 'node-b' }], spec);
      const replies = await network.ask('client', { host: addresses.node, port: 30_080, count: 10 });
      expect(replies).toEqual(Array.from({ length: 10 }, () => ({ pod: 'podA', client: addresses.client })));

      // The others are told to look elsewhere by silence; the node itself reaches all.
      await write([{ ...podB, on: 'node-b' }], spec);
      expect(await network.ask('client', { host: addresses.node, port: 30_080, timeoutMs: 300 })).toEqual([
        { error: 'TIMEOUT' },
      ]);
      expect(counted(await network.ask('node', { host: addresses.node, port: 30_080 }))).toEqual({ podB: 1 });
    });

    test('with the internal policy Local pods reach this node only', async () => {
      const spec = { internalTrafficPolicy: 'Local' };
      await write([podA, { ...podB, on: 'node-b' }], spec);
      expect(counted(await network.ask('podB', { host: clusterIp, port: 80, count: 10 }))).toEqual({
        podA: 10,
      });
      await write([{ ...podB, on: 'node-b' }], spec);
      expect(await network.ask('podA', { host: clusterIp, port: 80, timeoutMs: 300 })).toEqual([
        { error: 'TIMEOUT' },
      ]);
    });

    test('external addresses and those of balancers are answered, to clients on the list', async () => {
      const balanced = { loadBalancer: { ingress: [{ ip: outsideIp }] } };
      const ask = async (timeoutMs = 10_000) =>
        counted(await network.ask('client', { host: outsideIp, port: 80, timeoutMs }));

      await write([podA], { externalIPs: [outsideIp] });
      expect(await ask()).toEqual({ podA: 1 });
      await write([podA], { type: 'LoadBalancer', loadBalancerSourceRanges: ['198.51.100.0/24'] }, balanced);
      expect(await ask(300)).toEqual({ TIMEOUT: 1 });
      await write([podA], { type: 'LoadBalancer', loadBalancerSourceRanges: ['192.0.2.0/24'] }, balanced);
      expect(await ask()).toEqual({ podA: 1 });
    });

    test("a balancer whose address is the node's own is answered from everywhere, and other ports stay the node's", async () => {
      const balanced = { loadBalancer: { ingress: [{ ip: addresses.node }] } };
      await write([podA], { type: 'LoadBalancer' }, balanced);
      for (const place of ['client', 'podB', 'node'] as const)
        expect(counted(await network.ask(place, { host: addresses.node, port: 80 }))).toEqual({ podA: 1 });
      expect(await network.ask('client', { host: addresses.node, port: 81 })).toEqual([
        { error: 'ECONNREFUSED' },
      ]);
    });

    test('clients stay with their endpoint, also over a restart of the proxy', async () => {
      const spec = {
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
      };
      const plan = planOf([podA, podB], spec);
      await writer.write(new Map([['default/web', plan]]));
      const before = counted(await network.ask('client', { host: clusterIp, port: 80, count: 20 }));
      expect(Object.keys(before)).toHaveLength(1);

      writer = newWriter();
      await writer.write(new Map([['default/web', plan]]));
      const after = counted(await network.ask('client', { host: clusterIp, port: 80, count: 20 }));
      expect(after).toEqual(before);

      // Another timeout is another set: clients choose again, and the rules hold.
      const longer = { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: 90 } } };
      await write([podA, podB], longer);
      expect(
        Object.keys(counted(await network.ask('client', { host: clusterIp, port: 80, count: 20 }))),
      ).toHaveLength(1);
    });

    test('UDP clients are led elsewhere when their endpoint is gone, and to new services at once', async () => {
      const spec = {
        ports: [{ name: 'main', port: 53, protocol: 'UDP', nodePort: 30_053 }],
        type: 'NodePort',
      };
      const question = { host: clusterIp, port: 53, protocol: 'UDP', localPort: 4_053 } as const;
      await write([podA], spec);
      expect(counted(await network.ask('client', question))).toEqual({ podA: 1 });
      await write([podB], spec);
      expect(counted(await network.ask('client', question))).toEqual({ podB: 1 });
      expect(
        counted(await network.ask('client', { ...question, host: addresses.node, port: 30_053 })),
      ).toEqual({ podB: 1 });
    });

    test('both address families, each with its own endpoints', async () => {
      await write([podA, { ip: addresses.podA6 }, { ip: addresses.podB6 }], {
        clusterIPs: [clusterIp, 'fd00:96::10'],
      });
      expect(counted(await network.ask('podB', { host: clusterIp, port: 80, count: 5 }))).toEqual({
        podA: 5,
      });
      const replies = await network.ask('client', { host: 'fd00:96::10', port: 80, count: 40 });
      expect(Object.keys(counted(replies)).sort()).toEqual(['podA', 'podB']);
      expect(counted(await network.ask('podB', { host: 'fd00:96::10', port: 80, count: 20 }))).toEqual({
        podA: expect.any(Number),
        podB: expect.any(Number),
      });
    });

    test(
      'no connection fails while the proxy is restarted again and again and endpoints change',
      async () => {
        await write([podA, podB]);
        const load = network.secondClient('client').ask({ host: clusterIp, port: 80, count: 1_500 });
        let isDone = false;
        void load.then(() => (isDone = true));
        let restarts = 0;
        while (!isDone) {
          writer = newWriter();
          await write([podA, podB]);
          await write([podB]);
          await write([podA, podB]);
          restarts++;
        }
        const counts = counted(await load);
        expect(Object.keys(counts).sort()).toEqual(['podA', 'podB']);
        expect(restarts).toBeGreaterThan(1);
      },
      waitMsMax,
    );

    test('what somebody broke is whole after the next change', async () => {
      await write([podA]);
      await network.nft(['delete', 'table', 'ip', 'kube-proxy'], '');
      await write([podB]);
      expect(counted(await network.ask('podA', { host: clusterIp, port: 80, count: 3 }))).toEqual({
        podB: 3,
      });
    });

    test('removed services leave no rule, and --cleanup leaves no table', async () => {
      const rules = async () => (await network.nft(['list', 'ruleset'], '')).match(/default\/\S+/g) ?? [];
      await write([podA, podB], { sessionAffinity: 'ClientIP' });
      expect(await rules()).not.toEqual([]);
      let againMs = await writer.write(new Map([['default/web', undefined]]));
      while (againMs !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, againMs));
        againMs = await writer.write(new Map());
      }
      expect(await rules()).toEqual([]);

      await removeTables(network.nft);
      expect(await network.nft(['list', 'tables'], '')).toBe('');
      await removeTables(network.nft);
    });
  },
);
