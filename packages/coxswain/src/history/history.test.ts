import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock, type KubeObject } from '@coxswain/apimachinery';
import { createClient } from '@coxswain/client';
import { readHistory } from '@coxswain/client/history/object-history.ts';
import { createKubeApiServer, type KubeApiServer } from '@coxswain/kube-apiserver';
import { MemoryStorage } from '@coxswain/storage';
import { printHistory } from '../commands/history.ts';
import { nodeRecorder } from '../trace/node-recorder.ts';
import { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';
import { recordingService } from '../trace/recording-paths.ts';
import { administrator } from '../components/component-users.ts';

const storage = new MemoryStorage();
let server: KubeApiServer;

beforeAll(async () => {
  server = await createKubeApiServer({ storage });
});
afterAll(() => server.stop());

const clientOf = () => createClient({ transport: server.inProcess(administrator) });
const maps = () => clientOf().resource('v1', 'configmaps').namespace('default');

const configMap = (name: string, data: Record<string, string>) =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }) as KubeObject;

async function printed(name: string, limit = 100, client = clientOf()): Promise<string> {
  let text = '';
  const out = { write: (more: string) => void (text += more) };
  await printHistory({ out } as never, client, 'cm', name, 'default', limit);
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME')
    .replaceAll(/resourceVersion \d+/g, 'resourceVersion N');
}

test('each change is shown with its manager, time and contents', async () => {
  await maps().create(configMap('changed', { a: '1', b: '1' }), { fieldManager: 'maker' });
  await maps().patch('changed', { data: { a: '2', b: null } }, { type: 'merge', fieldManager: 'changer' });

  const text = await printed('changed');

  expect(text).toContain(
    'configmaps/changed in namespace default\n\nresourceVersion N: created by maker (Update), TIME\n',
  );
  expect(text).toContain(
    'resourceVersion N: changed by changer (Update), TIME\n  - data.a: "1"\n  + data.a: "2"\n  - data.b: "1"\n',
  );
});

test('a change belongs to the manager that takes a field over, not to the one that loses it', async () => {
  await maps().create(configMap('taken', { a: '1', b: '1' }), { fieldManager: 'loser' });
  await maps().patch('taken', { data: { a: '2' } }, { type: 'merge', fieldManager: 'taker' });

  expect(await printed('taken')).toContain('changed by taker (Update)');
});

test('a deleted object still has its history', async () => {
  await maps().create(configMap('deleted', { a: '1' }), { fieldManager: 'maker' });
  await maps().delete('deleted');

  const text = await printed('deleted');

  expect(text).toMatch(
    /created by maker .*resourceVersion N: deleted \(the time and the user are not recorded\)\n$/s,
  );
});

test('a compacted history is reported', async () => {
  const made = await maps().create(configMap('compacted', { a: '1' }), { fieldManager: 'maker' });
  await maps().patch('compacted', { data: { a: '2' } }, { type: 'merge', fieldManager: 'changer' });
  await maps().patch('compacted', { data: { a: '3' } }, { type: 'merge', fieldManager: 'changer' });
  await storage.compact(Number(made.metadata.resourceVersion) + 1);

  const text = await printed('compacted');

  expect(text).toContain('are not available: the server has compacted its history.');
  expect(text).toMatch(/changed by changer .*- data.a: "2"\n {2}\+ data.a: "3"\n$/s);
});

test('no more changes are read than asked for', async () => {
  await maps().create(configMap('limited', { a: '1' }));
  for (const a of ['2', '3', '4']) await maps().patch('limited', { data: { a } }, { type: 'merge' });

  const text = await printed('limited', 2);

  expect(text.match(/: changed /g)).toHaveLength(2);
  expect(text).toContain('Earlier changes are not shown');
});

test('an earlier result is extended without reading it again', async () => {
  const { metadata } = await maps().create(configMap('continued', { a: '1' }), { fieldManager: 'maker' });
  const known = await readHistory(maps(), 'continued', 100);
  for (const a of ['2', '3']) await maps().patch('continued', { data: { a } }, { type: 'merge' });
  await storage.compact(Number(metadata.resourceVersion));

  const all = await readHistory(maps(), 'continued', 100, known);
  const newest = await readHistory(maps(), 'continued', 2, known);

  expect(all?.begins).toBe('created');
  expect(all?.changes.map(({ kind }) => kind)).toEqual(['created', 'changed', 'changed']);
  expect(newest?.changes).toEqual(all?.changes.slice(1));
});

test('the values of a secret are not shown', async () => {
  const secrets = clientOf().resource('v1', 'secrets').namespace('default');
  await secrets.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    data: { k: 'c2VjcmV0' },
  } as KubeObject);
  let text = '';
  await printHistory(
    { out: { write: (more: string) => void (text += more) } } as never,
    clientOf(),
    'secret',
    's',
    'default',
    9,
  );

  expect(text).toContain('+ data.k: ***');
  expect(text).not.toContain('c2VjcmV0');
});

test('an object of which nothing is known is an error', async () => {
  await expect(printed('never')).rejects.toThrow('configmaps/never in namespace default not found');
});

test('a server that remembers its latest writes says who made the changes', async () => {
  const { extraPaths, extraFilter } = recordingService(
    new RecordingSwitch(() => nodeRecorder()),
    systemClock,
  );
  const remembering = await createKubeApiServer({ storage: new MemoryStorage(), extraPaths, extraFilter });
  const clientAs = (name: string) =>
    createClient({ transport: remembering.inProcess({ ...administrator, name }) });
  const mapsAs = (name: string) => clientAs(name).resource('v1', 'configmaps').namespace('default');
  await mapsAs('alice').create(configMap('shared', { a: '1' }), { fieldManager: 'kubectl' });
  await mapsAs('bob').patch('shared', { data: { a: '2' } }, { type: 'merge', fieldManager: 'kubectl' });
  await mapsAs('carol').delete('shared');

  const text = await printed('shared', 100, clientAs('admin'));

  expect(text).toContain('created by kubectl (Update) as alice, TIME');
  expect(text).toContain('changed by kubectl (Update) as bob, TIME');
  expect(text).toMatch(/deleted as carol, TIME\n$/);
  await remembering.stop();
});
