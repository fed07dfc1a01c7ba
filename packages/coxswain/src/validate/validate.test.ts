import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCoxswain } from '../commands/root.ts';

// The first server loads its modules.
vi.setConfig({ testTimeout: 60_000 });

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'validate-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Removes the test's directory from the output. */
async function run(args: readonly string[], input = ''): Promise<Ended> {
  const written = { out: '', err: '' };
  const status = await runCoxswain(['validate', ...args], {
    out: { write: (text: string) => ((written.out += text), true) },
    err: { write: (text: string) => ((written.err += text), true) },
    input: Readable.from([input]),
    env: {},
    signal: new AbortController().signal,
  } as Parameters<typeof runCoxswain>[1]);
  const relative = (text: string): string => text.replaceAll(`${directory}/`, '');
  return { status, out: relative(written.out), err: relative(written.err) };
}

function file(name: string, text: string): string {
  const where = path.join(directory, name);
  mkdirSync(path.dirname(where), { recursive: true });
  writeFileSync(where, text);
  return where;
}

const deployment = (name: string, replicas: unknown, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${String(replicas)}
${more}  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: main
        image: web:1
`;

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://nobody.example/"}}
  versions:
${['v1', 'v2']
  .map(
    (name, index) => `  - name: ${name}
    served: true
    storage: ${index === 0}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, maximum: 10}}}`,
  )
  .join('\n')}
`;

test('objects that the server would take are counted, and the exit status is 0', async () => {
  file('a.yaml', `${deployment('one', 1)}---\n${deployment('two', 2)}`);
  file('kustomization.yaml', 'resources: [a.yaml]\n');
  expect(await run(['-f', directory])).toEqual({
    status: 0,
    out: '2 objects in 1 source, 0 invalid\n',
    err: '',
  });
});

test('every cause is reported with its line, including unknown fields', async () => {
  file('a.yaml', `# first\n---\n${deployment('web', -1, '  replica: 2\n')}`);
  expect(await run(['-f', directory])).toEqual({
    status: 1,
    out: [
      'a.yaml:8: error: Deployment web: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'a.yaml:9: error: Deployment web: unknown field "spec.replica"',
      '1 object in 1 source, 1 invalid',
      '',
    ].join('\n'),
    err: 'coxswain: 2 problems found\n',
  });
});

test('invalid YAML, other values and unknown kinds are reported with their line', async () => {
  file('a.yaml', 'a: 1\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\ndata: {}\n');
  file('b.yaml', 'x: [\n');
  file('c.yaml', 'apiVersion: other.io/v1\nkind: Thing\nmetadata: {name: a}\n');
  const { status, out } = await run(['-f', directory]);
  expect(status).toBe(1);
  expect(out).toBe(
    [
      'a.yaml:1: error: not a Kubernetes object: apiVersion and kind are missing',
      'a.yaml:7: error: key "data" already set in map',
      'b.yaml:1: error: did not find expected node content',
      'c.yaml:2: error: Thing a: no matches for kind "Thing" in version "other.io/v1"',
      'definitions are missing: Thing (other.io/v1); --with=FILE adds them, --ignore-unknown-kinds skips their objects',
      '2 objects in 3 sources, 4 invalid',
      '',
    ].join('\n'),
  );
  const ignoring = await run(['-f', path.join(directory, 'c.yaml'), '--ignore-unknown-kinds']);
  expect(ignoring.out).toBe('1 object in 1 source, 0 invalid, 1 of unknown kinds skipped\n');
});

test('each missing definition is named once, and none for a built-in group', async () => {
  const object = (apiVersion: string, kind: string) =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`;
  const unknown = [object('b.io/v1', 'Thing'), object('b.io/v1', 'Thing'), object('a.io/v2', 'Other')];
  file(
    'a.yaml',
    [...unknown, object('networking.k8s.io/v1beta1', 'Ingress'), object('v1', 'Pud')].join('---\n'),
  );
  const { out } = await run(['-f', directory]);
  expect(out).toContain('\ndefinitions are missing: Other (a.io/v2), Thing (b.io/v1); --with');
  expect(out).toContain('5 invalid\n');
});

test('definitions on the way are what their objects are judged by, in every version and without a webhook', async () => {
  const crds = file('crds/widgets.yaml', widgets);
  const objects = ['v1', 'v2'].map(
    (version, index) =>
      `apiVersion: example.com/${version}\nkind: Widget\nmetadata: {name: w}\nspec: {size: ${10 + index}}\n`,
  );
  file('objects.yaml', objects.join('---\n'));
  const { out } = await run(['-f', directory, '-R']);
  expect(out).toBe(
    [
      'objects.yaml:9: error: Widget w: spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
      '3 objects in 2 sources, 1 invalid',
      '',
    ].join('\n'),
  );
  const beside = await run(['-f', directory, '--with', path.dirname(crds)]);
  expect(beside.out).toContain('2 objects in 1 source, 1 invalid');
});

test('policies on the way judge all others, namespaces too, with their parameters', async () => {
  file(
    'a.yaml',
    `${deployment('web', 3)}---
apiVersion: v1
kind: ConfigMap
metadata: {name: most, namespace: default}
data: {replicas: "2"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: most}
spec:
  policyName: most
  validationActions: [Deny]
  paramRef: {name: most, namespace: default, parameterNotFoundAction: Deny}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: most}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps, ''], apiVersions: [v1], operations: [CREATE], resources: [deployments, namespaces]}
  validations:
  - expression: >-
      object.kind == 'Namespace' ? has(object.metadata.labels.team) : object.spec.replicas <= int(params.data.replicas)
    messageExpression: "object.kind + ' is not as ' + params.metadata.name"
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`,
  );
  const { out } = await run(['-f', directory]);
  const denied = "ValidatingAdmissionPolicy 'most' with binding 'most' denied request";
  expect(out).toBe(
    [
      `a.yaml:1: error: Deployment web: deployments.apps "web" is forbidden: ${denied}: Deployment is not as most`,
      `a.yaml:43: error: Namespace shop: namespaces "shop" is forbidden: ${denied}: Namespace is not as most`,
      '5 objects in 1 source, 2 invalid',
      '',
    ].join('\n'),
  );
});

test('templates of helm are named, and items of lists have their lines', async () => {
  const rendered = `---
# Source: shop/templates/all.yaml
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: good}}
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: Bad
`;
  const { out } = await run(['-f', '-'], rendered);
  expect(out).toMatch(
    /^stdin:10 \(shop\/templates\/all\.yaml\): error: ConfigMap Bad: metadata\.name: Invalid value: "Bad": .*\n2 objects in 1 source, 1 invalid\n$/,
  );
});

test('a kustomization is built, and reported by its directory', async () => {
  file('base/web.yaml', deployment('web', -1));
  file('base/kustomization.yaml', 'resources: [web.yaml]\nnamePrefix: my-\n');
  const { out } = await run(['-k', path.join(directory, 'base')]);
  expect(out).toContain('base: error: Deployment my-web: spec.replicas: Invalid value: -1');
});

test('warnings are no errors unless that is asked for', async () => {
  const endpoints = file('a.yaml', 'apiVersion: v1\nkind: Endpoints\nmetadata:\n  name: a\n');
  const { status, out } = await run(['-f', endpoints]);
  expect([status, out]).toEqual([
    0,
    'a.yaml:1: warning: Endpoints a: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n1 object in 1 source, 0 invalid, 1 warning\n',
  ]);
  expect((await run(['-f', endpoints, '--warnings-as-errors'])).status).toBe(1);
});

test('SARIF and JUnit reports have the same findings', async () => {
  const web = file('a.yaml', `${deployment('<web>', 1)}---\n${deployment('ok', 1)}`);
  const sarif = JSON.parse((await run(['-f', web, '-o', 'sarif'])).out) as {
    readonly runs: readonly [{ readonly results: readonly [{ readonly locations: readonly unknown[] }] }];
  };
  expect(sarif.runs[0].results[0].locations[0]).toEqual({
    physicalLocation: {
      artifactLocation: { uri: 'a.yaml' },
      region: { startLine: 4 },
    },
  });
  const junit = (await run(['-f', web, '-o', 'junit'])).out;
  expect(junit).toContain(
    '<testsuites name="coxswain validate" tests="2" failures="1" skipped="0" errors="0">',
  );
  expect(junit).toContain('<testcase classname="a.yaml" name="Deployment &lt;web&gt;">');
  expect(junit).toContain('<testcase classname="a.yaml" name="Deployment ok"/>');
});

test('an input that cannot be checked has another exit status', async () => {
  const missing = await run(['-f', path.join(directory, 'nothing')]);
  expect([missing.status, missing.err]).toEqual([2, `coxswain: the path "nothing" does not exist\n`]);
  expect((await run([])).err).toBe('coxswain: specify manifests with -f or -k\n');
  expect((await run(['-f', '-', '-o', 'xml'])).status).toBe(2);
});
