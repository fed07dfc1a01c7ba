/** `npm create coxswain`: what it makes has the right definition, valid manifests, and tests that pass. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..');
const create = path.join(root, 'packages/create-coxswain/src/create.mjs');
const coxswain = path.join(root, 'packages/coxswain/bin/coxswain.mjs');
/** On machines that may have other things to do. */
const msMax = 180_000;

let parent: string;
let project: string;

beforeAll(async () => {
  // Below the root, so that the packages are found there; Node runs no TypeScript in node_modules.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  parent = mkdtempSync(path.join(root, 'dist/create-coxswain-'));
  project = path.join(parent, 'my-operator');
  await run(process.execPath, [create, project]);
}, msMax);
afterAll(() => rmSync(parent, { recursive: true }));

const inProject = (...args: string[]) =>
  run(process.execPath, args, { cwd: project, env: { ...process.env, COXSWAIN_FROM_SOURCE: '1' } });

test('the name of the directory is the name of the operator', () => {
  expect(readdirSync(project)).toEqual(expect.arrayContaining(['.gitignore', '.github', 'Dockerfile']));
  expect(JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8'))).toMatchObject({
    name: 'my-operator',
  });
  expect(readFileSync(path.join(project, 'manifests/operator.yaml'), 'utf8')).not.toContain(
    'greeting-operator',
  );
});

test('directories that are not empty, and names that are none, are refused', async () => {
  await expect(run(process.execPath, [create, project])).rejects.toThrow('is not empty');
  await expect(run(process.execPath, [create, path.join(parent, 'No')])).rejects.toThrow(
    'not a valid name of a Deployment',
  );
});

test(
  'the definition is the one of the interface, and the manifests are valid',
  async () => {
    const { stdout } = await inProject(coxswain, 'crd', 'generate', 'src/kinds.ts');
    expect(readFileSync(path.join(project, 'manifests/crds/greetings.example.com.yaml'), 'utf8')).toBe(
      stdout,
    );
    const validated = await inProject(coxswain, 'validate', '-f', 'manifests', '--recursive');
    expect(validated.stdout).toContain('0 invalid');
  },
  msMax,
);

test(
  'the roles are the smallest with which its tests pass',
  async () => {
    const file = path.join(project, 'manifests/rbac.yaml');
    const before = readFileSync(file, 'utf8');
    await inProject('scripts/rbac.ts');
    expect(readFileSync(file, 'utf8')).toBe(before);
  },
  msMax,
);

test(
  'its tests pass',
  async () => {
    const { stdout } = await inProject('--test', '--test-reporter=tap', 'test/operator.test.ts');
    expect(stdout).toMatch(/^# pass 6$/m);
  },
  msMax,
);
