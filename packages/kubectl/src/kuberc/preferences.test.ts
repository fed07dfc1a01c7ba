import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runKubectl } from '../run.ts';
import { FakeServer } from '../testing/fake-server.ts';
import { recordedIo } from '../testing/recorded-io.ts';

let directory = '';
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'kuberc-'))));
afterEach(() => rm(directory, { recursive: true }));

const head = 'apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n';

async function run(preferences: string, ...args: string[]) {
  await writeFile(join(directory, 'kuberc'), head + preferences);
  return runAsIs(...args);
}

/** Runs with the file unchanged. */
async function runAsIs(...args: string[]) {
  const env = { KUBERC: join(directory, 'kuberc') };
  const io = recordedIo({ transport: new FakeServer(), workingDirectory: directory, env });
  const code = await runKubectl(args, io);
  return { code, ...io.text };
}

const maker = `aliases:
- name: mk
  command: create configmap
  prependArgs: [web]
  options:
  - {name: dry-run, default: client}
  - {name: output, default: name}
`;

test('an alias expands to its command with arguments and options', async () => {
  const { out, code } = await run(maker, 'mk', '--from-literal=a=b');
  expect(out).toBe('configmap/web\n');
  expect(code).toBe(0);
});

test('an option on the command line wins over that of the alias', async () => {
  const { out } = await run(maker, 'mk', '-o', 'jsonpath={.kind}');
  expect(out).toBe('ConfigMap');
});

test('a default holds where the command line says nothing', async () => {
  const preferences =
    'defaults:\n- command: create namespace\n  options:\n  - {name: dry-run, default: client}\n';
  expect((await run(preferences, 'create', 'namespace', 'n')).out).toBe('namespace/n created (dry run)\n');
});

test('a default for an option that is none ends the program before anything is done', async () => {
  const preferences = 'defaults:\n- command: version\n  options:\n  - {name: nope, default: x}\n';
  const { code, err } = await run(preferences, 'version', '--client');
  expect(err).toBe('error occurred while applying preferences invalid flag nope for command version\n');
  expect(code).toBe(1);
});

test('unknown fields are reported and ignored', async () => {
  const { code, err } = await run('wrong: 1\n', 'version', '--client');
  expect(err).toContain('strict decoding error: unknown field "wrong"');
  expect(code).toBe(0);
});

test('a contradictory policy for credential plugins is refused', async () => {
  const { err } = await run('credentialPluginPolicy: Allowlist\n', 'version', '--client');
  expect(err).toBe(
    'error occurred while applying preferences credential plugin policy set to "Allowlist", but allowlist is unspecified\n',
  );
});

test('settings are written to the file, and an entry is replaced only on request', async () => {
  const set = ['kuberc', 'set', '--section=defaults', '--command=get'];
  expect((await run('', ...set, '--option=output=wide')).out).toMatch(/^Updated /);
  const text = await readFile(join(directory, 'kuberc'), 'utf8');
  expect(text).toContain('defaults:\n- command: get\n  options:\n  - default: wide\n    name: output\n');
  const again = await runAsIs(...set, '--option=output=name');
  expect(again.err).toBe('error: defaults for command "get" already exist, use --overwrite to replace\n');
  expect((await runAsIs(...set, '--option=output=name', '--overwrite')).code).toBe(0);
});

test('at verbosity 5, the log says what became of each entry', async () => {
  const entries = `apiVersion: v1\nkind: ConfigMap\n---\n${head}aliases: 3\n---\n${head}`;
  await writeFile(join(directory, 'kuberc'), entries);
  const file = join(directory, 'kuberc');
  const lines = (err: string) => err.split('\n').flatMap((line) => line.split('] kuberc: ')[1] ?? []);

  expect(lines((await runAsIs('version', '--client', '-v=5')).err)).toEqual([
    `unexpected GroupVersionKind for entry 1 in ${file}: v1, Kind=ConfigMap`,
    `strict decoding error for entry 2 in ${file}: json: cannot unmarshal number into Go struct field aliases of type list`,
    `using entry 3 (kubectl.config.k8s.io/v1beta1) in ${file}`,
  ]);
  expect((await runAsIs('version', '--client')).err).toBe('');

  await writeFile(file, '');
  for (const verbosity of [['--v=5'], ['--v', '5'], ['-v', '6'], ['-v9']])
    expect(lines((await runAsIs('version', '--client', ...verbosity)).err)).toContain(
      `no preferences found in ${file}`,
    );
});
