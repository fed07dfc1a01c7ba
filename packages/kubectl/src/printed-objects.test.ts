/** The order of fields and the format of numbers in printed objects. Upstream's output is in test/differential. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runKubectl } from './run.ts';
import { FakeServer } from './testing/fake-server.ts';
import { recordedIo } from './testing/recorded-io.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(path.join(tmpdir(), 'kubectl-printed-'))));
afterEach(() => rmSync(directory, { recursive: true }));

async function kubectl(line: string, over: Parameters<typeof recordedIo>[0] = {}) {
  const io = recordedIo({ workingDirectory: directory, ...over });
  const code = await runKubectl(line.split(' '), io);
  return { code, ...io.text };
}

const json = async (line: string): Promise<string> =>
  JSON.stringify(JSON.parse((await kubectl(`${line} -o json`)).out));

test.each([
  [
    'create quota q --hard=pods=2,cpu=1 --dry-run=client',
    '{"kind":"ResourceQuota","apiVersion":"v1","metadata":{"name":"q"},"spec":{"hard":{"cpu":"1","pods":"2"}},"status":{}}',
  ],
  [
    'create rolebinding b --role=r --user=u --dry-run=client',
    '{"kind":"RoleBinding","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"b"},"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"u"}],"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r"}}',
  ],
  [
    'run p --image=i --labels=z=1,a=2 --dry-run=client',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","labels":{"a":"2","z":"1"}},"spec":{"containers":[{"name":"p","image":"i","resources":{}}],"restartPolicy":"Always","dnsPolicy":"ClusterFirst"},"status":{}}',
  ],
  [
    'set image --local -f d.json c=new',
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"},"spec":{"replicas":1000000,"selector":{"matchLabels":{"a":"1","b":"2"}},"template":{"metadata":{},"spec":{"containers":[{"name":"c","image":"new","resources":{}}]}},"strategy":{}},"status":{}}',
  ],
  [
    'label --local -f d.json x=y',
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"x":"y"},"name":"d"},"spec":{"replicas":1000000,"selector":{"matchLabels":{"a":"1","b":"2"}},"template":{"spec":{"containers":[{"image":"old","name":"c"}]}}}}',
  ],
])('typed objects are printed in the order of their types, others by name: %s', async (line, expected) => {
  writeDeployment();
  expect(await json(line)).toBe(expected);
  expect(JSON.stringify(readYaml((await kubectl(`${line} -o kyaml`)).out))).toBe(expected);
});

function writeDeployment(): void {
  const spec = {
    template: { spec: { containers: [{ name: 'c', image: 'old' }] } },
    selector: { matchLabels: { b: '2', a: '1' } },
    replicas: 1000000,
  };
  const deployment = { spec, metadata: { name: 'd' }, kind: 'Deployment', apiVersion: 'apps/v1' };
  writeFileSync(path.join(directory, 'd.json'), JSON.stringify(deployment));
}

test.each([
  ['label --local -f d.json x=y -o jsonpath={.spec.replicas}', '1000000'],
  ['set image --local -f d.json c=new -o jsonpath={.spec.replicas}', '1e+06'],
  ['set image --local -f d.json c=new -o go-template={{.spec.replicas}}', '1000000'],
  ['label --local -f d.json x=y -o go-template={{eq\u00a0.spec.replicas\u00a01000000}}', 'true'],
])('whole numbers are what the original holds them for: %s', async (line, expected) => {
  writeDeployment();
  // Words are separated by spaces.
  const args = line.split(' ').map((word) => word.replaceAll('\u00a0', ' '));
  const io = recordedIo({ workingDirectory: directory });
  await runKubectl(args, io);
  expect(io.text).toEqual({ out: expected, err: '' });
});

test.each([
  [
    'create configmap c --from-literal=a=1',
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c"},"data":{"a":"1"}}\n',
  ],
  ['create service clusterip s --tcp=80', undefined],
  ['run p --image=i', undefined],
])('%s --save-config --dry-run=client keeps what the original keeps', async (line, expected) => {
  const object = JSON.parse(await json(`${line} --save-config --dry-run=client`)) as {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  };
  expect(object.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']).toBe(expected);
});

test('errors of unreadable documents are reported last, and invalid text ends its file', async () => {
  const documents = [
    { apiVersion: 'example.com/v1', kind: 'Nothing', metadata: { name: 'x' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'missing', namespace: 'default' } },
    'no object',
  ];
  writeFileSync(
    path.join(directory, 'all.yaml'),
    documents.map((one) => JSON.stringify(one)).join('\n---\n'),
  );
  const { err } = await kubectl('delete -f all.yaml', { transport: new FakeServer() });
  expect(err.split('\n').map((line) => line.slice(0, 40))).toEqual([
    'Error from server (NotFound): error when',
    '[resource mapping not found for name: "x',
    'ensure CRDs are installed first, unable ',
    '',
  ]);
});
