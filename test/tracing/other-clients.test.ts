/**
 * The same request of other programs goes through the same code: the real kubectls that KUBECTLS names, the Go
 * operator of test/interop/operator that GO_OPERATOR names, and the Helm that HELM names. Those that are not named are left out.
 */

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRecording, type Recording, type Step } from '../../packages/trace/src/recording.ts';

const root = path.join(import.meta.dirname, '../..');
const program = path.join(root, 'packages/coxswain/bin/coxswain.mjs');
const timeoutMs = 180_000;

/** `1.20=/path/kubectl,1.33=/path/kubectl` */
const kubectls = (process.env['KUBECTLS'] ?? '').split(',').filter((entry) => entry !== '');
if (process.env['CI'] !== undefined && kubectls.length === 0)
  throw new Error('KUBECTLS must name the real kubectls in CI');
const operators = [process.env['GO_OPERATOR'] ?? ''].filter((program) => program !== '');
const helms = [process.env['HELM'] ?? ''].filter((program) => program !== '');

const create = ['create', 'deployment', 'web', '--image=nginx'];
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, labels: {app: web}}\n';
let directory: string;
let ours: Recording;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'other-clients-'));
  ours = await traced('ours', ['kubectl', ...create]);
}, timeoutMs);
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('a deployment that is made by', () => {
  test.skipIf(kubectls.length === 0).each(kubectls.length > 0 ? kubectls : ['none=none'])(
    'kubectl %s',
    { timeout: timeoutMs },
    async (entry) => {
      const kubectl = entry.slice(entry.indexOf('=') + 1);
      hasSameServerSide(await traced('kubectl', ['--', kubectl, ...create]));
    },
  );

  test.each(operators)('an operator in Go: %s', { timeout: timeoutMs }, async (operator) => {
    const file = path.join(directory, 'config.yaml');
    await writeFile(file, configMap);
    hasSameServerSide(await traced('operator', ['-f', file, '--', operator]));
  });
});

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: nginx, image: nginx}]}}
`;

test.each(helms)('Helm applies as kubectl does: %s', { timeout: timeoutMs }, async (helm) => {
  const chart = path.join(directory, 'chart');
  const template = path.join(chart, 'templates/web.yaml');
  await mkdir(path.dirname(template), { recursive: true });
  await writeFile(path.join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: one\nversion: 0.1.0\n');
  await writeFile(template, deployment);
  const applied = await traced('applied', ['kubectl', 'apply', '--server-side', '-f', template]);
  const installed = await traced('helm', ['--', helm, 'install', 'one', chart]);

  expect(stepsOf(installed)).toEqual(stepsOf(applied));
  expect(stepsOf(installed).length).toBeGreaterThan(30);
  expect(actorsOf(installed)).toEqual(actorsOf(applied));
});

/** The request takes the same steps in the same places, and the same components act because of it. */
function hasSameServerSide(recording: Recording): void {
  expect(stepsOf(recording)).toEqual(stepsOf(ours));
  expect(actorsOf(recording)).toEqual(actorsOf(ours));
}

function stepsOf({ undertakings }: Recording): readonly string[] {
  const created = undertakings.find(({ name }) =>
    /^(?:POST .*\/deployments|PATCH .*\/deployments\/web)(?:\?|$)/.test(name),
  );
  const texts = (steps: readonly Step[], depth: number): readonly string[] =>
    steps.flatMap(({ name, function: work, file, line, steps: inner }) => [
      `${' '.repeat(depth)}${name} ${work} ${file}:${line}`,
      ...texts(inner, depth + 1),
    ]);
  return texts(created?.steps ?? [], 0);
}

const actors = ['deployment-controller', 'replicaset-controller', 'kube-scheduler', 'kubelet/node-0'];

const actorsOf = ({ undertakings }: Recording): readonly string[] =>
  actors.filter((actor) => undertakings.some(({ component }) => component === actor));

async function traced(name: string, args: readonly string[]): Promise<Recording> {
  const file = path.join(directory, `${name}.json`);
  await run(process.execPath, [program, 'trace', `-o=json=${file}`, ...args]);
  return parseRecording(await readFile(file, 'utf8'));
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const { KUBECONFIG: _none, ...env } = process.env;
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  expect(status).toBe(0);
}
