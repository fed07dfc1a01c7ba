/** Every metric that Kubernetes 1.36 promises is told by our programs once there was something to tell. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAssets } from 'coxswain/program/assets.ts';
import { exceptions, silentPrograms } from './exceptions.ts';
import { familiesOf, type Family } from './families.ts';
import { startPrograms, type ProgramName } from './programs.ts';
import { moveTraffic } from './traffic.ts';

interface PromisedMetric {
  readonly name: string;
  readonly program: string;
  readonly type: string;
  readonly stability: string;
  readonly labels: string;
  readonly bounds: string;
}

const promised: readonly PromisedMetric[] = readFileSync(
  path.join(import.meta.dirname, 'promised.tsv'),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [name = '', programs = '', type = '', stability = '', labels = '', bounds = ''] = line.split('\t');
    return programs.split(' ').map((program) => ({ name, program, type, stability, labels, bounds }));
  });

const paths = ['/metrics', '/metrics/slis', '/metrics/resources'];
const startMsMax = 600_000;
const scraped = new Map<string, Map<string, Family>>();

beforeAll(async () => {
  const programs = await startPrograms(await writeAssets(), true);
  try {
    await moveTraffic(programs);
    for (const program of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as ProgramName[]) {
      const families = new Map<string, Family>();
      for (const at of paths) {
        const { status, text } = await programs.ask(program, 'GET', at);
        if (status === 200) for (const [name, family] of familiesOf(text)) families.set(name, family);
      }
      scraped.set(program, families);
    }
  } finally {
    await programs.stop();
  }
}, startMsMax);

afterAll(() => scraped.clear());

const wanted = promised.filter(({ name, program }) => !(name in exceptions) && !silentPrograms.has(program));

test.each(wanted)('$program tells $name', ({ name, program, type, stability, labels, bounds }) => {
  const family = scraped.get(program)!.get(name);
  expect(family && { type: family.type, stability: family.stability, labels: [...family.labels] }).toEqual({
    type,
    stability,
    labels: [labels],
  });
  const reported = family!.bounds
    .map((bound) => bound.slice('le="'.length, -1))
    .filter((bound) => bound !== '+Inf');
  expect(reported.map(Number)).toEqual(bounds === '' ? reported.map(Number) : bounds.split(',').map(Number));
});

test('nothing is excepted that is not promised', () => {
  const names = new Set(promised.map(({ name }) => name));
  expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([]);
});

test.each([
  ['kube-apiserver', 'apiserver_request_total'],
  ['kube-controller-manager', 'workqueue_adds_total'],
  ['kube-controller-manager', 'job_controller_jobs_finished_total'],
  ['kube-scheduler', 'scheduler_schedule_attempts_total'],
  ['kube-scheduler', 'scheduler_preemption_victims'],
])('what %s tells as %s moves with the work', (program, name) => {
  expect(scraped.get(program)!.get(name)!.sum).toBeGreaterThan(0);
});
