import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom, type Random } from '@coxswain/apimachinery';
import { afterAll, expect, test } from 'vitest';
import { runKubectl } from './run.ts';
import { FakeServer } from './testing/fake-server.ts';
import { recordedIo } from './testing/recorded-io.ts';

const seed = 20260719;
const linesMax = 10_000;
const bugsShownMax = 12;

/** What only a bug of ours says. */
const bug =
  /Cannot read prop|Cannot set prop|is not a function|is not iterable|is not defined|Maximum call stack|Invalid array length|Cannot convert|Cannot mix|\(reading '|undefined is not|Assignment to constant/;

const commands = [
  'annotate',
  'api-resources',
  'api-versions',
  'apply',
  'apply view-last-applied',
  'apply set-last-applied',
  'auth can-i',
  'auth whoami',
  'auth reconcile',
  'autoscale',
  'certificate approve',
  'cluster-info',
  'cluster-info dump',
  'completion',
  'config view',
  'config set',
  'config unset',
  'config set-context',
  'config get-contexts',
  'config use-context',
  'config set-cluster',
  'config set-credentials',
  'config delete-user',
  'cordon',
  'create',
  'create clusterrole',
  'create clusterrolebinding',
  'create configmap',
  'create cronjob',
  'create deployment',
  'create ingress',
  'create job',
  'create namespace',
  'create poddisruptionbudget',
  'create priorityclass',
  'create quota',
  'create role',
  'create rolebinding',
  'create secret generic',
  'create secret tls',
  'create secret docker-registry',
  'create service clusterip',
  'create service nodeport',
  'create serviceaccount',
  'create token',
  'describe',
  'diff',
  'events',
  'explain',
  'expose',
  'get',
  'label',
  'options',
  'patch',
  'plugin list',
  'replace',
  'rollout history',
  'rollout restart',
  'rollout undo',
  'run',
  'scale',
  'set env',
  'set image',
  'set resources',
  'set selector',
  'set serviceaccount',
  'set subject',
  'taint',
  'top node',
  'top pod',
  'uncordon',
  'version',
  '__complete get',
  '__complete',
  'help',
  'wrong',
  '',
];
const words = [
  'configmaps',
  'cm',
  'cm/web',
  'cm/',
  '/web',
  'web',
  'pods',
  'a/b/c',
  'a,b',
  ',',
  '',
  '-',
  '--',
  'all',
  'nodes',
  'key=value',
  'key-',
  '=',
  'key=value:NoSchedule',
  'get',
  'cm.v1',
  'cm.v1.',
  '.',
  '..',
  '{}',
  'ä€',
  '\u0000',
  'x'.repeat(300),
];
const names = [
  'output',
  'o',
  'filename',
  'f',
  'selector',
  'l',
  'field-selector',
  'namespace',
  'n',
  'A',
  'all',
  'dry-run',
  'from-literal',
  'from-file',
  'from-env-file',
  'image',
  'replicas',
  'port',
  'env',
  'e',
  'p',
  'patch',
  'type',
  'sort-by',
  'template',
  'L',
  'chunk-size',
  'subresource',
  'show-labels',
  'no-headers',
  'server-print',
  'raw',
  'overwrite',
  'list',
  'local',
  'limits',
  'requests',
  'verb',
  'resource',
  'user',
  'role',
  'clusterrole',
  'serviceaccount',
  'hard',
  'rule',
  'tcp',
  'schedule',
  'from',
  'to-revision',
  'revision',
  'v',
  'as',
  'as-group',
  'request-timeout',
  'kubeconfig',
  'context',
  'server',
  'server-side',
  'validate',
  'field-manager',
  'prune',
  'max',
  'min',
  'cpu',
  'overrides',
  'override-type',
  'labels',
  'for',
  'types',
  'api-version',
  'recursive',
  'value',
  'grace-period',
  'wrong',
];
const values = [
  '',
  'json',
  'yaml',
  'kyaml',
  'wide',
  'name',
  'jsonpath={.a',
  'jsonpath={.items[*].metadata.name}',
  'jsonpath={..a[?(@.b==1)]}',
  'go-template={{.a}}',
  'go-template={{range .items}}{{end}}',
  'go-template={{',
  'custom-columns=A:.b',
  'custom-columns',
  'good.yaml',
  'bad.yaml',
  'missing.yaml',
  '.',
  'client',
  'server',
  'none',
  'true',
  'false',
  '0',
  '-1',
  '1',
  '9'.repeat(30),
  'a=b',
  'a==b',
  'a in (b',
  '!a',
  '{',
  '{}',
  '{"data":{"a":"b"}}',
  '[{"op":"add","path":"/data/x","value":"1"}]',
  'a:b:c',
  '1s',
  '5%',
  '.metadata.name',
  '{',
  'json ',
  'ä',
  '\\',
  "'",
  '*',
  'cpu=1',
  'cpu=x',
  'web',
  'get,list',
  '/healthz',
  'a.b/c*=svc:http,tls=x',
  '* * * * *',
];

const home = mkdtempSync(join(tmpdir(), 'kubectl-fuzz-'));
writeFileSync(
  join(home, 'good.yaml'),
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: b}\n',
);
writeFileSync(join(home, 'bad.yaml'), 'a: [b\n');
afterAll(() => rmSync(home, { recursive: true, force: true }));

const oneOf = <T>(random: Random, choices: readonly T[]): T =>
  choices[Math.floor(random.next() * choices.length)] as T;

function commandLine(random: Random): string[] {
  const line = oneOf(random, commands)
    .split(' ')
    .filter((word) => word !== '');
  for (let count = Math.floor(random.next() * 3); count > 0; count--) line.push(oneOf(random, words));
  for (let count = Math.floor(random.next() * 4); count > 0; count--) {
    const name = oneOf(random, names);
    const option = `${name.length === 1 ? '-' : '--'}${name}`;
    const form = random.next();
    if (form < 0.6) line.push(`${option}=${oneOf(random, values)}`);
    else if (form < 0.8) line.push(option, oneOf(random, values));
    else line.push(option);
  }
  return line;
}

test('ten thousand generated command lines end with an exit code and words of their own, never with a bug', async () => {
  const random = seededRandom(seed);
  const bugs: string[] = [];
  for (let count = 0; count < linesMax; count++) {
    const line = commandLine(random);
    const io = recordedIo({
      transport: new FakeServer(),
      random,
      env: { HOME: home, PATH: home },
      workingDirectory: home,
    });
    const code = await runKubectl(line, io);
    expect(Number.isInteger(code), `kubectl ${line.join(' ')}`).toBe(true);
    if (bug.test(io.text.err)) bugs.push(`kubectl ${JSON.stringify(line)}: ${io.text.err}`);
  }
  expect(bugs.slice(0, bugsShownMax), `seed ${seed}`).toEqual([]);
}, 120_000);
