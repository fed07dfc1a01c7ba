/** What the commands of original.json are about: the objects that were there when the original was listened to. */

const container = { name: 'main', image: 'x:1' };

const pod = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container], ...spec },
});

const configMap = (name: string, labels = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data: { k: 'v' },
});

const boats = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.req.example.com' },
  spec: {
    group: 'req.example.com',
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

export const objects: readonly object[] = [
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n-req' } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sa' } },
  pod('p'),
  pod('r', { nodeName: 'n-req' }),
  configMap('one'),
  configMap('two'),
  configMap('del', { a: 'b' }),
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'd' } },
      template: { metadata: { labels: { app: 'd' } }, spec: { containers: [container] } },
    },
  },
  boats,
];

const manifest = (name: string, value: string) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: value } });

export const files: Readonly<Record<string, string>> = {
  'new.yaml': manifest('new', '1'),
  'a.yaml': manifest('app', '1'),
  'b.yaml': manifest('app', '2'),
};
