/**
 * The real kubectl of two ages, and our own, live through the same story on a started all-in-one: a user's
 * first afternoon with an application of several parts.
 */

import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startUp, type RunningCluster } from './running-cluster.ts';
import { steps, type StoryStep } from './steps.ts';
import { giveInput } from '../give-input.ts';

const root = path.join(import.meta.dirname, '../..');

/** The version that the cluster behaves as: `KUBERNETES_VERSION=1.34`; its own when absent. */
const version = process.env['KUBERNETES_VERSION'];
const versionFlags = version === undefined ? [] : [`--kubernetes-version=${version}`];

/** Where the real ones are: `KUBECTLS=1.20=/path/kubectl,1.33=/path/kubectl`. */
const real = (process.env['KUBECTLS'] ?? '')
  .split(',')
  .filter((entry) => entry !== '')
  .map((entry) => ({
    name: `kubectl ${entry.split('=')[0]}`,
    command: [entry.slice(entry.indexOf('=') + 1)],
  }));

const own = {
  name: 'our kubectl',
  command: [process.execPath, path.join(root, 'packages/coxswain/bin/coxswain.mjs'), 'kubectl'],
};

if (process.env['CI'] !== undefined && real.length === 0)
  throw new Error('KUBECTLS must name the real kubectls in CI');

const stepTimeoutMs = 90_000;
const retryPauseMs = 200;
const attemptsMax = 150;

describe.each([own, ...real])('$name', ({ command }) => {
  let cluster: RunningCluster;

  beforeAll(async () => {
    cluster = await startUp(['--in-memory', ...versionFlags]);
  }, stepTimeoutMs);

  afterAll(async () => {
    expect(await cluster.stop()).toBe(0);
  }, stepTimeoutMs);

  test.each(steps.map((step, index) => ({ step, name: `${index + 1}. ${step.args.slice(0, 80)}` })))(
    '$name',
    async ({ step }) => {
      for (let attempt = 1; ; attempt++) {
        const result = await run(command, step, cluster.kubeconfig);
        if (step.eventually && attempt < attemptsMax && !holds(step, result)) {
          await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
          continue;
        }
        judge(step, result);
        return;
      }
    },
    stepTimeoutMs,
  );
});

interface Result {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

function judge(step: StoryStep, { exit, out, err }: Result): void {
  expect({ exit, said: err || out }).toEqual({ exit: step.exit ?? 0, said: err || out });
  for (const wanted of step.out ?? []) expect(out).toMatch(wanted);
  for (const wanted of step.err ?? []) expect(err).toMatch(wanted);
  for (const unwanted of step.notOut ?? []) expect(out).not.toMatch(unwanted);
}

function holds(step: StoryStep, result: Result): boolean {
  try {
    judge(step, result);
    return true;
  } catch {
    return false;
  }
}

function run([program, ...leading]: readonly string[], step: StoryStep, kubeconfig: string): Promise<Result> {
  const child = spawn(program ?? '', [...leading, ...step.args.split(' ')], {
    cwd: root,
    env: { ...process.env, KUBECONFIG: kubeconfig, ...step.env },
  });
  giveInput(child, step.stdin);
  let out = '';
  let err = '';
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, out, err }));
  });
}
