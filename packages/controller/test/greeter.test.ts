/** The operator in the README, run as a separate program over HTTPS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createCluster } from 'coxswain/testing';
import { expect, test } from 'vitest';

const example = path.join(import.meta.dirname, '../examples/greeter.ts');

test('the operator of the README creates the desired objects, corrects them, and ends when it is stopped', async () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-greeter-'));
  const cluster = await createCluster({ clock: 'system', controllers: false, nodes: 0 });
  const kubeconfig = path.join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, await cluster.kubeconfig());
  const operator = spawn(process.execPath, [example], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exit = once(operator, 'exit');
  try {
    const { client } = cluster;
    const greetings = client.resource('example.com/v1', 'greetings').namespace('default');
    const maps = client.resource('v1', 'configmaps').namespace('default');
    const greeting = {
      apiVersion: 'example.com/v1',
      kind: 'Greeting',
      metadata: { name: 'a' },
      spec: { text: 'hello' },
    };
    await cluster.eventually(() => greetings.apply(greeting, { fieldManager: 'test' }));
    const isSaid = () =>
      cluster.eventually(async () => {
        expect(await maps.get('a')).toMatchObject({ data: { text: 'hello' } });
        expect(await greetings.get('a')).toMatchObject({ status: { said: 'hello' } });
      });
    await isSaid();
    await maps.delete('a');
    await isSaid();
    operator.kill('SIGTERM');

    expect(await exit).toEqual([0, null]);
  } finally {
    operator.kill('SIGKILL');
    await cluster.stop();
    rmSync(directory, { recursive: true });
  }
}, 60_000);

test('the README shows that operator, and it has no more than 60 lines', () => {
  const source = readFileSync(example, 'utf8');
  const readme = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');

  expect(readme).toContain(source);
  expect(source.split('\n').length).toBeLessThanOrEqual(61);
});
