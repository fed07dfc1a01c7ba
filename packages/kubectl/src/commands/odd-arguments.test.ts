/** Unexpected arguments, formats and bodies, and upstream kubectl's response to them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rulesTable } from '../rbac/rules.ts';
import { runKubectl } from '../run.ts';
import { recordedIo } from '../testing/recorded-io.ts';

let directory: string;
const kubeconfig = `apiVersion: v1
kind: Config
contexts: [{name: one, context: {cluster: red, user: ann}}, {name: two, context: {cluster: red, user: ann}}]
clusters: [{name: red, cluster: {server: 'https://127.0.0.1:1'}}]
users: [{name: ann, user: {token: t}}]
current-context: one
`;
const pod = `apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: c, image: i}, {name: d, image: j}]}
`;
const boat = `apiVersion: example.com/v1
kind: Boat
metadata: {name: b}
`;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'kubectl-odd-'));
  for (const [name, text] of Object.entries({ kubeconfig, 'pod.yaml': pod, 'boat.yaml': boat }))
    writeFileSync(join(directory, name), text);
});
afterAll(() => rmSync(directory, { recursive: true }));

async function kubectl(...args: string[]) {
  const io = recordedIo({ workingDirectory: directory, env: { KUBECONFIG: join(directory, 'kubeconfig') } });
  const code = await runKubectl(args, io);
  return { code, ...io.text };
}

const patched = (patch: string, type = 'strategic', file = 'pod.yaml') => [
  'patch',
  '--local',
  '-f',
  file,
  `--type=${type}`,
  '-p',
  patch,
  '-o',
  'jsonpath={.spec.containers[*].image}',
];

const invalidTimeout =
  'Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)';
const formats =
  'go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile,yaml';

test.each([
  [['replace', '--raw', '/x', '-f', 'pod.yaml', '-R'], '--raw and --recursive are mutually exclusive'],
  [
    ['config', 'delete-user', 'a', 'b'],
    "user to delete is required\nSee 'kubectl config delete-user -h' for help and examples",
  ],
  [
    ['auth', 'can-i', 'get', 'pods', 'x'],
    "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.",
  ],
  ...[
    [
      '{"apiVersion":"v2"}',
      'no kind "Pod" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"kind":"Nope"}',
      'no kind "Nope" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    ['{"spec":5}', 'json: cannot unmarshal number into Go struct field Pod.spec of type v1.PodSpec'],
  ].map(([overrides, message]): [string[], string] => [
    ['run', 'p', '--image=i', '--dry-run=client', `--overrides=${overrides}`],
    message!,
  ]),
  [['auth', 'can-i', '--list', 'x'], 'list option must be specified with no arguments'],
  [
    ['logs', 'p', 'x', '-l', 'a=b'],
    'selectors and the all flag cannot be used when passing resource/name arguments',
  ],
  [patched('{"data":'), 'invalid JSON document'],
  [patched('[1]'), 'invalid JSON document'],
  [patched('{"data":', 'merge'), 'Invalid JSON Patch'],
  [
    ['run', 'p', '--image=i', '--dry-run=client', '--overrides=[{"a":null}]'],
    `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  ],
  [
    ['set', 'serviceaccount', '--local', '--dry-run=server', '-f', 'pod.yaml', 'robot'],
    'cannot specify --local and --dry-run=server - did you mean --dry-run=client?',
  ],
  [
    ['set', 'subject', 'ds', '--local', '--template={{'],
    'error parsing template {{, template: output:1: unclosed action',
  ],
  [patched('{}', 'json'), 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
  [
    patched('{}', 'strategic', 'boat.yaml'),
    'strategic merge patch is not supported for example.com/v1, Kind=Boat locally, try --type merge',
  ],
  [['events', '--for=x', '--types=x'], '--for must be in resource/name form'],
  [['run', 'a/b', '--image=', '--dry-run=client'], '--image is required'],
  [
    ['auth', 'reconcile', '-f', 'pod.yaml', '--dry-run=x'],
    'error accessing --dry-run flag for command reconcile: Invalid dry-run value (x). Must be "none", "server", or "client".',
  ],
  [['config', 'delete-user', 'bob', '--kubeconfig=kubeconfig'], 'cannot delete user bob, not in kubeconfig'],
  [
    ['config', 'rename-context', 'x', 'y', '--kubeconfig=kubeconfig'],
    `cannot rename the context "x", it's not in kubeconfig`,
  ],
  [['config', 'use-context', ''], 'empty context names are not allowed'],
  [['config', 'rename-context', 'x', ''], 'You must specify a new non-empty context name'],
  [
    ['run', 'p', '--image=i', '--dry-run=client', '--cascade=x'],
    'invalid cascade value (x). Must be "background", "foreground", or "orphan"',
  ],
  [['run', 'p', '--image=i', '--dry-run=client', '--annotations=x'], 'invalid annotations format: x'],
  [['events', '--for=pod/a/b'], 'arguments in resource/name form may not have more than one slash'],
  [
    ['logs', 'p', '--since-time=2020'],
    'parsing time "2020" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "-"',
  ],
  [
    ['logs', 'p', '--since-time=2020-13-01T00:00:00Z'],
    'parsing time "2020-13-01T00:00:00Z": month out of range',
  ],
  [['get', 'pods', '--request-timeout=-1'], invalidTimeout],
  [['get', 'pods', '--request-timeout=1d'], invalidTimeout],
  [
    ['patch', '--local', '-f', 'pod.yaml', '--patch-file=.'],
    'unable to read patch file: read .: is a directory',
  ],
  [
    ['run', 'p', '--image=i', '--dry-run=client', '-o', 'go-template-file=.'],
    'error reading --template ., read .: is a directory',
  ],
  [
    ['run', 'p', '--image=i', '--dry-run=client', '-o', 'a"b'],
    `unable to match a printer suitable for the output format "a\\"b", allowed formats are: ${formats}`,
  ],
])('%j is refused', async (args, message) => {
  expect(await kubectl(...args)).toEqual({ code: 1, out: '', err: `error: ${message}\n` });
});

test('a kustomization or a file that cannot be used is listed without a prefix', async () => {
  expect(await kubectl('describe', '-k', 'none')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^must build at directory: /),
  });
});

test('a template that fails shows the object in the order of its type', async () => {
  const { code, out } = await kubectl('run', 'p', '--image=i', '--dry-run=client', '--template={{.kind.x}}');
  expect(code).toBe(1);
  expect(out).toContain('\t\t{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","labels":{"run":"p"}}');
  expect(out).toContain('\t\tmap[apiVersion:v1 kind:Pod metadata:map[labels:map[run:p] name:p] spec:map[');
});

test('several problems of a selection are reported together', async () => {
  expect(await kubectl('set', 'image', 'rs/a', 'rs', 'c=x', '--recursive', '-k=.')).toMatchObject({
    code: 1,
    err: expect.stringContaining("the -k flag can't be used with -f or -R\n"),
  });
});

test('a template takes precedence over the default format', async () => {
  expect((await kubectl('config', 'view', '--template={{.kind}}')).out).toBe('Config');
  expect((await kubectl('config', 'view', '--template={{.kind}}', '-o', 'json')).out).toContain(
    '"kind": "Config"',
  );
});

test('a missing resource is reported before contradicting flags', async () => {
  const { err } = await kubectl('get', '-o', 'name', '--show-labels');
  expect(err).toContain('You must specify the type of resource to get.');
});

test('a local strategic patch merges lists by the key of the kind', async () => {
  const { out } = await kubectl(...patched('{"spec":{"containers":[{"name":"c","image":"new"}]}}'));
  expect(out).toBe('new j');
});

test.each(['delete-context', 'delete-cluster'])(
  'config %s without one name only shows help',
  async (name) => {
    const { code, out, err } = await kubectl('config', name, 'one', 'two');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`kubectl config ${name} NAME`);
  },
);

test('the version of the client is printed whatever arguments follow', async () => {
  expect(await kubectl('version', '--client', 'x')).toMatchObject({ code: 0, err: '' });
});

test('the group of a rule is placed between a resource and its subresource', () => {
  const rule = {
    verbs: ['impersonate'],
    apiGroups: ['authentication.k8s.io'],
    resources: ['userextras/scopes'],
  };
  const table = rulesTable({ status: { resourceRules: [rule], nonResourceRules: [] } }, false);
  expect(table).toMatch(/^userextras\.authentication\.k8s\.io\/scopes +\[\] +\[\] +\[impersonate\]\n$/);
});
