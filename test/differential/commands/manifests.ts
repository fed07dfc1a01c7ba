/** The files that command lines name: what is set up first, and what is good or bad to apply. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { richObjects } from './objects.ts';
import { mistakeNames } from './printed-lines.ts';

export function writeManifests(directory: string): void {
  for (const name of ['many', 'mistakes']) mkdirSync(path.join(directory, name), { recursive: true });
  for (const [name, text] of Object.entries(mistakeFiles())) writeFileSync(path.join(directory, name), text);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
}

const documents = (objects: readonly object[]): string =>
  objects.map((object) => `---\n${JSON.stringify(object)}\n`).join('');

const kuberc = (preference: object): string =>
  `${JSON.stringify({ apiVersion: 'kubectl.config.k8s.io/v1beta1', kind: 'Preference', ...preference })}\n`;

const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const small = (kind: string, apiVersion: string, more: object, name = 'file') => ({
  kind,
  apiVersion,
  metadata: { name, labels: { z: '1', a: '2' } },
  ...more,
});

const deployment = {
  replicas: 1000000,
  template: {
    spec: { containers: [{ name: 'c', image: 'busybox', ports: [{ containerPort: 8080 }] }] },
    metadata: { labels: { app: 'file' } },
  },
  selector: { matchLabels: { app: 'file' } },
};

const files: Readonly<Record<string, string>> = {
  'deployment.yaml': documents([small('Deployment', 'apps/v1', { spec: deployment })]),
  'small.yaml': documents([
    small('Deployment', 'apps/v1', { spec: { ...deployment, replicas: 2 } }, 'small'),
  ]),
  'pod.yaml': documents([small('Pod', 'v1', { spec: { containers: [{ image: 'busybox', name: 'c' }] } })]),
  'service.yaml': documents([
    small('Service', 'v1', { spec: { ports: [{ port: 80 }], selector: { b: '1' } } }),
  ]),
  'role.yaml': documents([
    small('Role', 'rbac.authorization.k8s.io/v1', {
      rules: [{ verbs: ['get'], resources: ['pods'], apiGroups: [''] }],
    }),
  ]),
  'binding.yaml': documents([
    small('RoleBinding', 'rbac.authorization.k8s.io/v1', {
      subjects: [{ name: 'u', kind: 'User', apiGroup: 'rbac.authorization.k8s.io' }],
      roleRef: { name: 'r', kind: 'Role', apiGroup: 'rbac.authorization.k8s.io' },
    }),
  ]),
  'objects.yaml': documents(richObjects),
  'custom.json': JSON.stringify({
    env: [{ name: 'A', value: 'b' }],
    resources: { limits: { cpu: '1' } },
    securityContext: { runAsUser: 7 },
  }),
  'good.kuberc': kuberc({
    aliases: [
      { name: 'g', command: 'get', options: [{ name: 'output', default: 'name' }] },
      { name: 'gp', command: 'get', prependArgs: ['pods'], appendArgs: ['--no-headers'] },
      { name: 'getn', command: 'get pod', options: [{ name: 'show-labels', default: 'true' }] },
      { name: 'mk', command: 'create configmap', appendArgs: ['--dry-run=client', '-o', 'yaml'] },
    ],
  }),
  'defaults.kuberc': kuberc({
    defaults: [
      { command: 'get', options: [{ name: 'output', default: 'wide' }] },
      { command: 'create configmap', options: [{ name: 'dry-run', default: 'client' }] },
      {
        command: 'label',
        options: [
          { name: 'dry-run', default: 'server' },
          { name: 'overwrite', default: 'true' },
        ],
      },
    ],
  }),
  'odd.kuberc': kuberc({
    defaults: [{ command: 'get', options: [{ name: 'nothing', default: 'x' }] }],
    aliases: [
      { name: 'loop', command: 'loop' },
      { name: 'run', command: 'get' },
      { name: 'g', command: 'nothing' },
      { name: 'mk', command: 'create configmap', options: [{ name: 'dry-run', default: 'wrong' }] },
      { name: 'a b', command: 'get' },
    ],
    more: 1,
  }),
  'several.kuberc': [
    'apiVersion: kubectl.config.k8s.io/v1\nkind: Preference\n',
    kuberc({ aliases: [{ name: 'g', command: 'get pods' }] }),
    kuberc({ aliases: [{ name: 'g', command: 'get cm' }] }),
  ].join('---\n'),
  'new.yaml': documents([configMap('new', { colour: 'blue' })]),
  'two.yaml': documents([configMap('one', { a: '1' }), configMap('two', { b: '2' })]),
  'list.json': JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [configMap('three', {}), configMap('four', {})],
  }),
  'many/a.yaml': documents([configMap('a', {})]),
  'many/b.json': JSON.stringify(configMap('b', {})),
  'many/c.txt': 'no manifest',
  'empty.yaml': '',
  'scalar.yaml': 'just text\n',
  'sequence.yaml': '- a\n- b\n',
  'number.json': '7',
  'nokind.yaml': 'apiVersion: v1\nmetadata: {name: x}\n',
  'noversion.yaml': 'kind: ConfigMap\nmetadata: {name: x}\n',
  'unknownkind.yaml': 'apiVersion: example.com/v1\nkind: Nothing\nmetadata: {name: x}\n',
  'unknownfield.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\nwrong: 1\n',
  'badtype.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: x}\nspec: {ports: wrong}\n',
  'invalid.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Not_Valid}\n',
  'otherns.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: elsewhere}\n',
  'tab.yaml': 'apiVersion: v1\n\tkind: ConfigMap\n',
  'flow.yaml': 'apiVersion: v1\nmetadata: {name: x\nkind: ConfigMap\n',
  'open.yaml': 'data: [\n',
  'quote.yaml': 'a: "never closed\n',
  'indent.yaml': 'a:\n  b: 1\n c: 2\n',
  'colon.yaml': 'a: b: c\n',
  'anchor.yaml': 'a: *nothing\n',
  'twice.yaml': 'apiVersion: v1\nkind: ConfigMap\nkind: Secret\nmetadata: {name: x}\n',
  'at.yaml': 'a: @b\n',
  'percent.yaml': 'a: %b\n',
  'backtick.yaml': 'a: `b\n',
  'dash.yaml': 'a: 1\n- b\n',
  'broken.json': '{"apiVersion": "v1", "kind": \n',
  'comma.json': '{"apiVersion": "v1",}',
  'patch.json': '[{"op":"add","path":"/data/patched","value":"yes"}]',
  'patch.yaml': 'data:\n  patched: "yes"\n',
  env: 'A=1\nB=two words\n# no\n\nC=\n',
  'plain.txt': 'some text\n',
};

/** Two mistakes in one file, in both orders; and all of them. */
function mistakeFiles(): Readonly<Record<string, string>> {
  const text = (name: string) =>
    name === 'fine' ? JSON.stringify(configMap('fine', { a: '1' })) : files[`${name}.yaml`]!;
  const pairs = mistakeNames.flatMap((first) =>
    mistakeNames.map(
      (second) => [`mistakes/${first}-${second}.yaml`, `${text(first)}\n---\n${text(second)}`] as const,
    ),
  );
  return {
    ...Object.fromEntries(pairs),
    'mistakes/all.yaml': mistakeNames.map(text).join('\n---\n'),
    'mistakes/fields.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nzz: 1\nmetadata: {name: x, wrong: 1}\nspec:\n  aa: 1\n  replicas: two\n  template: {spec: {containers: [{name: c, imag: x, ports: [{containerPort: x}]}]}}\n',
  };
}
