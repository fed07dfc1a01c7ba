/**
 * Runs the tests of the clients in `clients/` against `coxswain test-server`: for the languages whose tools are here, or for
 * those that are named, whose tools must be here.
 *
 *     npm run check-clients
 *     npm run check-clients -- go python
 */

import { spawnSync } from 'node:child_process';
import path from 'node:path';

interface Client {
  /** Answers with 0 where the language is installed. */
  readonly has: readonly string[];
  readonly test: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const root = path.join(import.meta.dirname, '..');

const clients: Readonly<Record<string, Client>> = {
  python: {
    has: ['python3', '-m', 'pytest', '--version'],
    test: ['python3', '-m', 'pytest', '-p', 'pytest_coxswain.plugin', '-p', 'no:cacheprovider', '-q'],
    env: { PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
  },
  go: { has: ['go', 'version'], test: ['go', 'test', '-count=1', './...'] },
  java: { has: ['mvn', '--version'], test: ['mvn', '--batch-mode', '--quiet', 'test'] },
  'testcontainers-node': { has: ['docker', 'info'], test: ['npm', 'test'] },
  rust: { has: ['cargo', '--version'], test: ['cargo', 'test', '--quiet'] },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(clients, name));
if (unknown.length > 0)
  throw new Error(`no client ${unknown.join()}: there are ${Object.keys(clients).join()}`);
const command = `${process.execPath} ${path.join(root, 'packages/coxswain/bin/coxswain.mjs')}`;
const failed: string[] = [];
for (const [name, { has, test, env }] of Object.entries(clients)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  if (!answers(has)) {
    console.log(
      `== ${name}: ${has.join(' ')} does not run here, so this client is ${asked.length > 0 ? 'not tested' : 'left out'}`,
    );
    if (asked.length > 0) failed.push(name);
    continue;
  }
  console.log(`== ${name}: ${test.join(' ')}`);
  const { status } = spawnSync(test[0]!, test.slice(1), {
    cwd: path.join(root, 'clients', name),
    env: { ...process.env, COXSWAIN_COMMAND: command, ...env },
    stdio: 'inherit',
  });
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) throw new Error(`the tests failed of ${failed.join()}`);

function answers([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
