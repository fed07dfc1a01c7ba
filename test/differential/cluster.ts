/**
 * `npm run differ-cluster -- --original URL --ours URL [area | area/scenario…]`: plays scenarios on a real
 * control plane and on ours, and prints what came of them otherwise. See README.md.
 */
import { parseArgs } from 'node:util';
import { seededRandom, systemClock } from '@coxswain/apimachinery';
import { transportOf } from '@coxswain/client/https/connect.ts';
import { clusterAreas } from '../oracle/cluster/areas.ts';
import { differencesOf, type Difference } from '../../packages/kube-apiserver/test/oracle/differences.ts';
import { ScenarioClient } from './cluster/client.ts';
import { Player, type Cluster } from './cluster/player.ts';
import { RandomScenario, randomAreas } from './cluster/random-scenario.ts';
import { ScenarioKubelet } from './cluster/scenario-kubelet.ts';
import type { Scenario, Seen } from './cluster/scenario.ts';
import { scenariosByArea } from './cluster/scenarios/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:21402' },
    ours: { type: 'string', default: 'https://127.0.0.1:22402' },
    'at-once': { type: 'string', default: '4' },
    tries: { type: 'string', default: '3' },
    show: { type: 'string', default: '12' },
    'beat-ms': { type: 'string', default: '10000' },
    open: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    /** So many scenarios at random of each area instead. */
    random: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
interface Named {
  readonly name: string;
  readonly scenario: Scenario;
}

/** What a step waits for that may well never come true; both clusters wait as long. */
const settleMs = 8000;

const chosen = choose();
if (values.list) {
  for (const { name } of chosen) console.log(name);
  process.exit(0);
}
const clusters = [cluster('original', values.original), cluster('ours', values.ours)] as const;
for (const { kubelet } of clusters) kubelet.start();
const shared = chosen.filter(({ scenario }) => !scenario.nodes && !scenario.alone);
const alone = chosen.filter(({ scenario }) => scenario.nodes || scenario.alone);
const onSharedNodes = alone.filter(({ scenario }) => !scenario.nodes);
let differing = 0;

if (shared.length + onSharedNodes.length > 0) {
  await eachSharedNode((kubelet, name) => kubelet.addNode(sharedNode(name)));
  const queue = shared.values();
  const work = async () => {
    for (const one of queue) await judge(one);
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
  for (const one of onSharedNodes) await judge(one);
  await eachSharedNode((kubelet, name) => kubelet.removeNode(name));
}
for (const one of alone.filter(({ scenario }) => scenario.nodes)) await judge(one);
console.log(`${chosen.length} scenarios, ${differing} differ`);
for (const { kubelet } of clusters) kubelet.stop();
process.exit(differing === 0 ? 0 : 1);

function choose(): Named[] {
  const named = values.random === undefined ? ownScenarios() : randomScenarios(Number(values.random));
  const wanted = (name: string) =>
    positionals.length === 0 ||
    positionals.some((part) => (part.includes('/') ? name.startsWith(part) : name.startsWith(`${part}/`)));
  return named.filter(({ name }) => wanted(name));
}

function ownScenarios(): Named[] {
  const areas = values.open
    ? clusterAreas().map(({ area, cases }) => [area, cases] as const)
    : Object.entries(scenariosByArea);
  return areas.flatMap(([area, scenarios]) =>
    scenarios.map((scenario) => ({ name: `${area}/${scenario.name}`, scenario })),
  );
}

function randomScenarios(count: number): Named[] {
  return randomAreas.flatMap((area) =>
    Array.from({ length: count }, (_, at) => {
      const seed = Number(values.seed) + at;
      const scenario = new RandomScenario(seededRandom(seed)).make(area, String(seed));
      return { name: `${area}/${seed}`, scenario };
    }),
  );
}

function cluster(name: string, url: string): Cluster {
  const connect = (user: string) =>
    transportOf({
      cluster: { server: url, 'insecure-skip-tls-verify': true },
      user: { token: `tok-${user}` },
    });
  const client = new ScenarioClient(connect, systemClock);
  const kubelet = new ScenarioKubelet(client);
  kubelet.beatMs = Number(values['beat-ms']);
  return { name, client, kubelet, settleMs };
}

async function eachSharedNode(act: (kubelet: ScenarioKubelet, name: string) => Promise<void>): Promise<void> {
  for (const { kubelet } of clusters)
    for (const name of ['pool-1', 'pool-2', 'pool-3']) await act(kubelet, name);
}

function sharedNode(name: string) {
  const labels = { 'topology.kubernetes.io/zone': 'z1' };
  return { name, labels, allocatable: { cpu: '64', memory: '256Gi', pods: '500' } };
}

/** What differs in one run may be timing: only what no pair of runs agrees on is told. */
async function judge({ name, scenario }: Named): Promise<void> {
  const runs: [Seen[][], Seen[][]] = [[], []];
  let least: Difference[] = [];
  for (let attempt = 1; attempt <= Number(values.tries); attempt++) {
    const seen = await Promise.all(clusters.map((one) => new Player(one, scenario).play()));
    for (const [at, steps] of seen.entries()) runs[at]!.push(steps);
    const pairs = runs[0].flatMap((expected) => runs[1].map((got) => differencesOf(expected, got)));
    least = pairs.toSorted((a, b) => a.length - b.length)[0]!;
    if (least.length > 0) continue;
    const broken = runs[0].every((steps) => steps.some(({ step }) => step === 'broken off'));
    console.log(
      `ok   ${name}${attempt > 1 ? ` (try ${attempt})` : ''}${broken ? ' BROKEN OFF' : ''}${vain(runs[0].at(-1)!)}`,
    );
    return;
  }
  differing++;
  const steady = runs[0].some((one, at) =>
    runs[0].some((other, next) => at < next && differencesOf(one, other).length === 0),
  );
  const lines = least
    .slice(0, Number(values.show))
    .map(
      ({ path, expected, got }) =>
        `     ${path}\n       want ${excerpt(expected)}\n       got  ${excerpt(got)}`,
    );
  console.log([`FAIL ${name}${steady ? '' : ' (the original differs from itself)'}`, ...lines].join('\n'));
}

function vain(steps: readonly Seen[]): string {
  const in_vain = steps.filter((step) => 'waited in vain for' in step);
  const refused = steps.filter(({ status }) => typeof status === 'number' && status >= 400);
  return `${in_vain.length > 0 ? ` (${in_vain.length} waits in vain)` : ''}${refused.length > 0 ? ` (refused: ${refused.map(({ status }) => status).join(' ')})` : ''}`;
}

function excerpt(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 420) ?? 'nothing';
}
