/** `coxswain routes` as a program: it runs the sources as they are, so that its places are those of the files. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { RouteFacts } from '../../packages/coxswain/src/trace/route-facts.ts';

const project = path.join(import.meta.dirname, '../..');
const program = path.join(project, 'packages/coxswain/bin/coxswain.mjs');

async function routes(...args: readonly string[]): Promise<string> {
  const { KUBECONFIG: _none, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'routes', ...args], { env });
  return stdout;
}

test.each([
  ['POST', '/api/v1/namespaces/default/pods'],
  ['PUT', '/apis/apps/v1/namespaces/default/deployments/web/status'],
  ['DELETE', '/apis/apps/v1/namespaces/default/deployments/web'],
  ['GET', '/apis/autoscaling/v1/horizontalpodautoscalers?watch=true'],
])(
  '%s %s: every function that has a name stands where it is said to stand',
  { timeout: 60_000 },
  async (method, target) => {
    const facts = JSON.parse(await routes('--json', `--method=${method}`, target)) as RouteFacts;
    const parts = [...facts.filters, ...facts.parts];
    expect(parts.length).toBeGreaterThan(20);
    const wrong = parts.filter(({ place, function: name }) => {
      const [file = '', line = ''] = place.split(':');
      const text = readFileSync(path.join(project, file), 'utf8').split('\n')[Number(line) - 1] ?? '';
      return name !== '' && !text.includes(name);
    });
    expect(wrong).toEqual([]);
  },
);

test(
  'functions keep their names, and so their places, when the program is bundled',
  { timeout: 60_000 },
  async () => {
    const { parts } = JSON.parse(await routes('--json', '/metrics')) as RouteFacts;
    expect(parts).toEqual([
      expect.objectContaining({
        function: 'answerMetrics',
        place: expect.stringMatching(/index-routes\.ts:\d+$/),
      }),
    ]);
  },
);

test('a person reads each part on a line, with its place', { timeout: 60_000 }, async () => {
  const lines = (await routes('--method=PUT', '/api/v1/namespaces/default/configmaps/a')).split('\n');
  expect(lines[0]).toBe('request              PUT /api/v1/namespaces/default/configmaps/a');
  expect(lines.find((line) => line.startsWith('handler'))).toMatch(
    /^handler +update +packages\/apiserver\/src\/handlers\/update\.ts:\d+$/,
  );
  expect(lines.find((line) => line.startsWith('storage key'))).toBe(
    'storage key          /registry/configmaps/default/a',
  );
});
