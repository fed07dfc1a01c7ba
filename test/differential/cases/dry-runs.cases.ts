/** What is only tried, where that is answered otherwise than what is done; and what trying once more shows. */
import { applyPatch, ask, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';

const core = '/api/v1/namespaces/$ns';
const leases = '/apis/coordination.k8s.io/v1/namespaces/$ns/leases';
const webhooks = '/apis/admissionregistration.k8s.io/v1';
const container = { name: 'c', image: 'i' };
const uid = '7b1c2d3e-0000-4000-8000-00000000abcd';
const brief = { ignore: ['metadata.managedFields'] };

const hook = {
  name: 'a.b.example.com',
  clientConfig: { url: 'https://x.example.com' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [
    { apiGroups: ['probe.example.com'], apiVersions: ['v1'], resources: ['things'], operations: ['CREATE'] },
  ],
};

const lists: readonly (readonly [string, object])[] = [
  ['validatingwebhookconfigurations', { webhooks: [] }],
  ['mutatingwebhookconfigurations', { webhooks: [] }],
];

export const cases: readonly DifferentialCase[] = [
  {
    name: 'versions-of-what-is-created',
    steps: ['1', '5', '0', 'x', ''].flatMap((resourceVersion, at) => [
      ask(
        `PUT ${leases}/l${at}`,
        { metadata: { name: `l${at}`, resourceVersion } },
        { pick: ['message', 'reason'] },
      ),
      ask(`PUT ${leases}/m?dryRun=All`, { metadata: { name: 'm', resourceVersion } }, brief),
      ask(`POST ${leases}?dryRun=All`, { metadata: { name: 'm', resourceVersion } }, brief),
      ask(
        `PATCH ${core}/configmaps/a?dryRun=All&fieldManager=a`,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion } },
        { ...applyPatch, ...brief },
      ),
      ask(`PUT ${core}/configmaps/a?dryRun=All`, { metadata: { name: 'a', resourceVersion } }, brief),
    ]),
  },
  {
    name: 'keys-of-conflicts',
    steps: [
      ask(
        `POST ${core}/pods`,
        { metadata: { name: 'r' }, spec: { containers: [container] } },
        { quiet: true },
      ),
      ...['', '?dryRun=All'].flatMap((query) => [
        ask(`POST ${core}/pods/r/binding${query}`, {
          metadata: { name: 'r', uid },
          target: { kind: 'Node', name: 'n1' },
        }),
        ask(`POST ${core}/pods/r/eviction${query}`, {
          metadata: { name: 'r' },
          deleteOptions: { preconditions: { uid } },
        }),
        ask(`DELETE ${core}/pods/r${query}`, { preconditions: { uid } }),
        ask(`DELETE ${core}/pods/r${query}`, { preconditions: { resourceVersion: '1' } }),
        ask(`PUT ${core}/pods/r${query}`, {
          metadata: { name: 'r', uid },
          spec: { containers: [container] },
        }),
        ask(`PATCH ${core}/pods/r${query}`, { metadata: { uid } }, mergePatch),
      ]),
    ],
  },
  {
    name: 'connections',
    steps: [
      ask(
        `POST ${core}/pods`,
        { metadata: { name: 'p' }, spec: { containers: [container] } },
        { quiet: true },
      ),
      ...['exec?command=a', 'attach', 'portforward', 'proxy', 'proxy/x'].flatMap((path) =>
        ['GET', 'POST'].map((method) =>
          ask(`${method} ${core}/pods/p/${path}${path.includes('?') ? '&' : '?'}dryRun=All`),
        ),
      ),
      ask(`GET ${core}/pods/p/exec?dryRun=x`),
      ask(`GET ${core}/services/p/proxy/?dryRun=All`),
      ask('GET /api/v1/nodes/n/proxy/?dryRun=All'),
      ask(`GET ${core}/pods/p/log?dryRun=All`),
    ],
  },
  {
    name: 'types-of-services',
    steps: [
      ask(
        `POST ${core}/services`,
        { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
        { quiet: true },
      ),
      ...[
        { type: 'ExternalName', externalName: 'x.example.com' },
        { type: 'ExternalName', externalName: 'x.example.com', clusterIP: null, clusterIPs: null },
        { type: 'ExternalName', externalName: 'x.example.com', internalTrafficPolicy: 'Local' },
        { type: 'NodePort' },
        { clusterIP: 'None' },
      ].map((spec) =>
        ask(
          `PATCH ${core}/services/s?dryRun=All`,
          { spec },
          {
            ...mergePatch,
            pick: [
              'message',
              'spec.internalTrafficPolicy',
              'spec.type',
              'spec.externalTrafficPolicy',
              'spec.ipFamilies',
              'spec.sessionAffinity',
            ],
          },
        ),
      ),
      ask(
        `POST ${core}/services?dryRun=All`,
        {
          metadata: { name: 't' },
          spec: { type: 'ExternalName', externalName: 'x.example.com', internalTrafficPolicy: 'Cluster' },
        },
        { pick: ['message', 'spec'] },
      ),
      ask(
        `POST ${core}/services`,
        {
          metadata: { name: 't' },
          spec: { type: 'ExternalName', externalName: 'x.example.com', internalTrafficPolicy: 'Cluster' },
        },
        { pick: ['message', 'spec'] },
      ),
      ask(
        `PUT ${core}/services/t?dryRun=All`,
        {
          metadata: { name: 't' },
          spec: { type: 'ExternalName', externalName: 'y.example.com', internalTrafficPolicy: 'Local' },
        },
        { pick: ['message', 'spec'] },
      ),
    ],
  },
  ...lists.map(([plural, emptied]): DifferentialCase => ({
    name: `generation-of-emptied-${plural}`,
    steps: [
      ask(
        `POST ${webhooks}/${plural}`,
        { metadata: { name: '$id' }, webhooks: [] },
        { pick: ['metadata.generation', 'webhooks'] },
      ),
      ask(`PATCH ${webhooks}/${plural}/$id`, emptied, {
        ...mergePatch,
        pick: ['metadata.generation', 'webhooks', 'message'],
      }),
      ask(
        `PATCH ${webhooks}/${plural}/$id`,
        { webhooks: null },
        { ...mergePatch, pick: ['metadata.generation', 'webhooks', 'message'] },
      ),
      ask(
        `PATCH ${webhooks}/${plural}/$id`,
        { metadata: { labels: { a: 'b' } } },
        { ...mergePatch, pick: ['metadata.generation', 'webhooks'] },
      ),
      ask(
        `PATCH ${webhooks}/${plural}/$id`,
        { webhooks: [hook] },
        { ...mergePatch, pick: ['metadata.generation', 'message'] },
      ),
      ask(
        `PATCH ${webhooks}/${plural}/$id`,
        { webhooks: [{ ...hook, matchConditions: [] }] },
        { ...mergePatch, pick: ['metadata.generation', 'message'] },
      ),
      ask(`PATCH ${webhooks}/${plural}/$id`, emptied, {
        ...mergePatch,
        pick: ['metadata.generation', 'webhooks'],
      }),
      ask(`PATCH ${webhooks}/${plural}/$id?dryRun=All`, emptied, {
        ...mergePatch,
        pick: ['metadata.generation', 'webhooks'],
      }),
    ],
    cleanup: [ask(`DELETE ${webhooks}/${plural}/$id`)],
  })),
  {
    name: 'directives-that-are-no-texts',
    steps: [
      ask(
        `POST ${core}/configmaps`,
        { metadata: { name: 'a', labels: { a: 'b' } }, data: { a: '1' } },
        { quiet: true },
      ),
      ...[7, 1.5, -3, true, null, {}, { a: 1, b: 'c' }, [1, 'a', null], [], 12345678901234567000].flatMap(
        (directive) => [
          ask(
            `PATCH ${core}/configmaps/a?dryRun=All`,
            { data: { $patch: directive } },
            { ...strategicPatch, pick: ['message', 'data'] },
          ),
          ask(
            `PATCH ${core}/configmaps/a?dryRun=All`,
            { metadata: { $patch: directive, labels: { x: 'y' } } },
            { ...strategicPatch, pick: ['message', 'metadata.labels'] },
          ),
          ask(
            `PATCH ${core}/configmaps/a?dryRun=All`,
            { metadata: { finalizers: [{ $patch: directive }] } },
            { ...strategicPatch, pick: ['message'] },
          ),
          ask(
            `PATCH ${core}/configmaps/a?dryRun=All`,
            { metadata: { ownerReferences: [{ $patch: directive, uid: 'x' }] } },
            { ...strategicPatch, pick: ['message'] },
          ),
          ask(
            `PATCH ${core}/configmaps/a?dryRun=All`,
            { data: { $retainKeys: directive } },
            { ...strategicPatch, pick: ['message'] },
          ),
        ],
      ),
    ],
  },
];
