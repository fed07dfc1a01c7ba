/** `npm create coxswain`: what it makes has the right definition, valid manifests, and tests that pass. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

test('directories that are not empty, and names that are none, are refused in one line', async () => {
  const refusal = (directory: string) =>
    run(process.execPath, [create, directory]).then(
      () => undefined,
      (error: unknown) => (error as { stderr: string }).stderr,
    );
  expect(await refusal(project)).toBe(`create-coxswain: ${project} is not empty\n`);
  expect(await refusal(path.join(parent, 'No'))).toContain('not a valid name of a Deployment');
  expect(await refusal('')).toBe('create-coxswain: usage: npm create coxswain [DIRECTORY]\n');
  writeFileSync(path.join(parent, 'file'), '');
  for (const directory of ['file', 'file/operator'])
    expect(await refusal(path.join(parent, directory))).toMatch(/^create-coxswain: \w+: .*\n$/);
});

test('an empty repository is an empty directory, and its files are left alone', async () => {
  const cloned = path.join(parent, 'two words/cloned');
  mkdirSync(path.join(cloned, '.git'), { recursive: true });
  const description = path.join(cloned, '.git/description');
  writeFileSync(description, 'greeting-operator');
  const { stdout } = await run(process.execPath, [create, cloned]);
  expect(readFileSync(description, 'utf8')).toBe('greeting-operator');
  expect(stdout).toContain(`cd "${cloned}"\n`);
});

test('its commands are those of its README', async () => {
  const { stdout } = await run(process.execPath, [create, path.join(parent, 'other')]);
  const readme = readFileSync(path.join(project, 'README.md'), 'utf8');
  const commands = [...stdout.matchAll(/^ {2}(np.*)$/gm)].map(([, command]) => command!);
  expect(commands).toHaveLength(5);
  for (const command of commands) expect(readme).toContain(`\n${command}`);
});

test('a Node that does not run TypeScript fails its tests instead of finding none', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts['test']).toBe('node --test "test/*.test.ts"');
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
