/**
 * The original's kube-proxy and ours, one after the other on the same node before the same API server, asked the
 * same questions: `node test/proxy/beside-the-original.ts KUBE_PROXY [KUBECTL]`, as root. Each takes the node over
 * from the other. Where services lead in the kernel's tables is compared, too, which is all that can be done for SCTP
 * where the kernel has no sockets of it. Ends with status 1 where an answer differs.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addresses, NodeNetwork, podPort, type Question, type Place, type Reply } from './node-network.ts';

const [original, kubectl = 'kubectl'] = process.argv.slice(2);
if (original === undefined) throw new Error('usage: beside-the-original.ts KUBE_PROXY [KUBECTL]');
const root = path.join(import.meta.dirname, '..', '..');
const directory = mkdtempSync(path.join(tmpdir(), 'proxies-'));
const startMsMax = 60_000;
const lookMs = 200;
const balancer = '203.0.113.7';

interface ServicePort {
  readonly protocol: string;
  readonly nodePort?: number;
  readonly [field: string]: unknown;
}

interface Case {
  readonly name: string;
  readonly spec: {
    readonly ports?: readonly ServicePort[];
    readonly [field: string]: unknown;
  };
  readonly status?: object;
  readonly endpoints: readonly object[];
  readonly ask: readonly (Omit<Question, 'host'> & { readonly from: Place; readonly host?: string })[];
}

const here = (ip: string, more: object = {}) => ({ addresses: [ip], nodeName: 'node-a', ...more });
const there = (ip: string) => ({ addresses: [ip], nodeName: 'node-b' });
const leaving = { conditions: { ready: false, serving: true, terminating: true } };
const tcp = { name: 'main', port: 80, protocol: 'TCP', targetPort: podPort };
const everywhere = (['podA', 'podB', 'node', 'client'] as const).map((from) => ({ from, port: 80 }));
const nodePortOf = (nodePort: number) => [{ ...tcp, nodePort }];
const toNodePort = (port: number) =>
  (['podA', 'node', 'client'] as const).map((from) => ({ from, host: addresses.node, port }));

const cases: readonly Case[] = [
  { name: 'both', spec: {}, endpoints: [here(addresses.podA), here(addresses.podB)], ask: everywhere },
  { name: 'none', spec: {}, endpoints: [], ask: [...everywhere, { from: 'podA', port: 81 }] },
  {
    name: 'leaving',
    spec: {},
    endpoints: [here(addresses.podA, leaving), here(addresses.podB, { conditions: { ready: false } })],
    ask: everywhere,
  },
  {
    name: 'port',
    spec: { type: 'NodePort', ports: nodePortOf(30_080) },
    endpoints: [here(addresses.podA), there(addresses.podB)],
    ask: [...everywhere, ...toNodePort(30_080)],
  },
  {
    name: 'local',
    spec: { type: 'NodePort', externalTrafficPolicy: 'Local', ports: nodePortOf(30_081) },
    endpoints: [here(addresses.podA), there(addresses.podB)],
    ask: [...everywhere, ...toNodePort(30_081)],
  },
  {
    name: 'nowhere-local',
    spec: { type: 'NodePort', externalTrafficPolicy: 'Local', ports: nodePortOf(30_082) },
    endpoints: [there(addresses.podB)],
    ask: [...everywhere, ...toNodePort(30_082)],
  },
  {
    name: 'no-node-port',
    spec: { type: 'NodePort', ports: nodePortOf(30_083) },
    endpoints: [],
    ask: toNodePort(30_083),
  },
  {
    name: 'inside-local',
    spec: { internalTrafficPolicy: 'Local' },
    endpoints: [there(addresses.podA), here(addresses.podB)],
    ask: everywhere,
  },
  {
    name: 'inside-nowhere',
    spec: { internalTrafficPolicy: 'Local' },
    endpoints: [there(addresses.podA)],
    ask: everywhere,
  },
  {
    name: 'outside',
    spec: { externalIPs: ['203.0.113.8'] },
    endpoints: [here(addresses.podA)],
    ask: (['podB', 'node', 'client'] as const).map((from) => ({ from, host: '203.0.113.8', port: 80 })),
  },
  {
    name: 'balanced',
    spec: { type: 'LoadBalancer', loadBalancerSourceRanges: ['192.0.2.0/24'] },
    status: { loadBalancer: { ingress: [{ ip: balancer }] } },
    endpoints: [here(addresses.podA)],
    ask: (['podB', 'node', 'client'] as const).map((from) => ({ from, host: balancer, port: 80 })),
  },
  {
    name: 'sticky',
    spec: { sessionAffinity: 'ClientIP' },
    endpoints: [here(addresses.podA)],
    ask: everywhere,
  },
  {
    name: 'datagrams',
    spec: { ports: [{ ...tcp, protocol: 'UDP' }] },
    endpoints: [here(addresses.podB)],
    ask: everywhere.map((one) => ({ ...one, protocol: 'UDP' as const })),
  },
  {
    name: 'associations',
    spec: {
      type: 'NodePort',
      ports: [{ ...tcp, protocol: 'SCTP', nodePort: 30_084 }],
      externalIPs: ['203.0.113.9'],
    },
    endpoints: [here(addresses.podA), here(addresses.podB)],
    ask: [],
  },
  {
    name: 'no-associations',
    spec: { type: 'NodePort', ports: [{ ...tcp, protocol: 'SCTP', nodePort: 30_085 }] },
    endpoints: [],
    ask: [],
  },
];
/** Of the maps and sets that say where a packet goes; what lies behind their chains is laid out otherwise in ours. */
const leadingMaps = [
  'service-ips',
  'service-nodeports',
  'no-endpoint-services',
  'no-endpoint-nodeports',
  'cluster-ips',
];

const protocolOf = ({ ports = [tcp] }: { readonly ports?: readonly ServicePort[] }): string =>
  ports[0]?.protocol ?? 'TCP';

const network = await NodeNetwork.start();
let isDifferent = false;
try {
  const kubeconfig = await startServer();
  const ips = await createObjects(kubeconfig);
  const asked: { readonly who: string; readonly answers: readonly string[] }[] = [];
  for (const who of ['original', 'ours', 'original', 'ours']) {
    const command =
      who === 'original'
        ? [original]
        : [process.execPath, path.join(root, 'packages/coxswain/bin/coxswain.mjs'), 'kube-proxy'];
    asked.push({ who, answers: await answersOf(command, kubeconfig, ips) });
    console.log(`${who}: ${asked.at(-1)?.answers.length} answers`);
  }
  const [first] = asked;
  for (const { who, answers } of asked.slice(1))
    for (const [what, lines, others] of [
      ['says', answers, first?.answers],
      ['does not say', first?.answers, answers],
    ] as const)
      for (const line of lines?.filter((each) => !others?.includes(each)) ?? []) {
        isDifferent = true;
        console.log(`${who} ${what}: ${line}`);
      }
} finally {
  network.stop();
  rmSync(directory, { recursive: true });
}
console.log(isDifferent ? 'they differ' : 'they answer alike');
process.exit(isDifferent ? 1 : 0);

/** The all-in-one within the node, without pods of its own. */
async function startServer(): Promise<string> {
  const child = network.spawn('node', [
    'env',
    'COXSWAIN_FROM_SOURCE=1',
    process.execPath,
    path.join(root, 'packages/coxswain/bin/coxswain.mjs'),
    'up',
    '--in-memory',
    `--data-dir=${directory}`,
    '--nodes=0',
    '--controllers=-*',
  ]);
  child.stdout?.resume();
  const kubeconfig = path.join(directory, 'kubeconfig');
  await until(() => run(kubeconfig, ['get', 'namespace', 'default']));
  return kubeconfig;
}

function run(kubeconfig: string, args: readonly string[], input = ''): Promise<string> {
  return network.run('node', [kubectl, `--kubeconfig=${kubeconfig}`, ...args], input);
}

async function createObjects(kubeconfig: string): Promise<ReadonlyMap<string, string>> {
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-a' },
    spec: { podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'] },
    status: { addresses: [{ type: 'InternalIP', address: addresses.node }] },
  };
  const items = cases.flatMap(({ name, spec, endpoints }) => [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'default' },
      spec: { ports: [tcp], ...spec },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name, namespace: 'default', labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      ports: [{ name: 'main', port: podPort, protocol: protocolOf(spec) }],
      endpoints,
    },
  ]);
  const file = path.join(directory, 'objects.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [node, ...items] }));
  await run(kubeconfig, ['create', '-f', file]);
  const status = JSON.stringify({ status: node.status });
  await run(kubeconfig, ['patch', 'node', 'node-a', '--subresource=status', '-p', status]);
  for (const one of cases)
    if (one.status !== undefined) {
      const patch = JSON.stringify({ status: one.status });
      await run(kubeconfig, ['patch', 'service', one.name, '--subresource=status', '-p', patch]);
    }
  const listed = await run(kubeconfig, ['get', 'services', '-o', 'json']);
  const services = JSON.parse(listed) as {
    items: { metadata: { name: string }; spec: { clusterIP: string } }[];
  };
  return new Map(services.items.map(({ metadata, spec }) => [metadata.name, spec.clusterIP]));
}

async function answersOf(
  command: readonly string[],
  kubeconfig: string,
  ips: ReadonlyMap<string, string>,
): Promise<string[]> {
  const child = network.spawn('node', [
    'env',
    'COXSWAIN_FROM_SOURCE=1',
    ...command,
    '--proxy-mode=nftables',
    `--kubeconfig=${kubeconfig}`,
    '--hostname-override=node-a',
    '--cluster-cidr=10.244.0.0/16',
    '--conntrack-max-per-core=0',
  ]);
  child.stdout?.resume();
  await until(() =>
    network.run('node', [
      process.execPath,
      '-e',
      `fetch('http://127.0.0.1:10249/metrics').then((r) => r.text()).then((t) => process.exit(/sync_proxy_rules_last_timestamp_seconds.*IPv4.* [1-9]/.test(t) ? 0 : 1), () => process.exit(1))`,
    ]),
  );
  const answers: string[] = [];
  for (const { name, ask } of cases)
    for (const { from, host = ips.get(name)!, ...question } of ask) {
      const replies = await network.ask(from, { host, timeoutMs: 400, count: 12, ...question });
      const seen = [...new Set(replies.map(replyText))].sort().join(' | ');
      answers.push(`${name} from ${from} to port ${question.port}: ${seen}`);
    }
  for (const map of leadingMaps) answers.push(...(await elementsOf(map)));
  answers.push(...(await pagesOf()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
  return answers;
}

/** `10.96.0.7 . sctp . 80 : goto service-…`, sorted. */
async function elementsOf(name: string): Promise<readonly string[]> {
  const kind = name === 'cluster-ips' ? 'set' : 'map';
  const listed = await network.run('node', ['nft', 'list', kind, 'ip', 'kube-proxy', name]);
  const [, elements = ''] = /elements = \{([^}]*)\}/.exec(listed) ?? [];
  return elements
    .split(/,\s*/)
    .map(
      (element) =>
        `${name}: ${element
          .replaceAll(/\s*comment "[^"]*"/g, '')
          .trim()
          .replaceAll(/\s+/g, ' ')}`,
    )
    .sort();
}

/** What the pages about its own state have: names and kinds of its metrics, and the form of its health. */
async function pagesOf(): Promise<readonly string[]> {
  const metrics = await pageOf('127.0.0.1:10249/metrics');
  const health = await Promise.all(
    ['healthz', 'livez'].map(async (name) => {
      const page = await pageOf(`127.0.0.1:10256/${name}`);
      return `${name}: ${page.replaceAll(/\d{4}-[^"]*/g, 'TIME')}`;
    }),
  );
  return [...metrics.matchAll(/^# TYPE (kubeproxy_.*)$/gm)].map(([line]) => line).concat(health);
}

function pageOf(place: string): Promise<string> {
  const script = `fetch('http://${place}').then(async (r) => process.stdout.write(String(await r.text())))`;
  return network.run('node', [process.execPath, '-e', script]);
}

function replyText({ pod, client, error }: Reply): string {
  return error ?? `${pod} sees ${client}`;
}

async function until(look: () => Promise<unknown>): Promise<void> {
  const untilMs = Date.now() + startMsMax;
  for (;;) {
    try {
      await look();
      return;
    } catch (error) {
      if (Date.now() > untilMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }
}
