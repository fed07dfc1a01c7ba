/** Runs the examples of README.md as a user would: each as a program of its own, with a cluster over HTTPS. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { createCluster, type TestCluster } from 'coxswain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const readme = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');
const examples = [...readme.matchAll(/## (.*)\n[^#]*?```ts\n([\s\S]*?)```/g)];
let cluster: TestCluster;
let directory: string;

beforeAll(async () => {
  cluster = await createCluster({ clock: 'system', controllers: false, nodes: 0 });
  // Below the packages, so that they resolve.
  const cache = path.join(import.meta.dirname, '../../../node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  directory = mkdtempSync(path.join(cache, 'client-readme-'));
  writeFileSync(path.join(directory, 'kubeconfig'), await cluster.kubeconfig());
});
afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

test('there are examples', () => expect(examples.length).toBeGreaterThanOrEqual(4));

for (const [index, [, title, text]] of examples.entries()) {
  test(`the example of "${title}" runs`, async () => {
    const file = path.join(directory, `example-${index}.mjs`);
    writeFileSync(file, stripTypeScriptTypes(text!));
    const env = { ...process.env, KUBECONFIG: path.join(directory, 'kubeconfig') };
    await expect(run(process.execPath, [file], { env })).resolves.toMatchObject({ stderr: '' });
  }, 60_000);
}
