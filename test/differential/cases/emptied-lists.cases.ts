/** Lists whose elements an applier takes over from another manager, and withdraws: who owns the list that is left empty. */
import { applyPatch, ask, mergePatch, type DifferentialCase } from './case.ts';

type Json = Readonly<Record<string, unknown>>;

const core = '/api/v1/namespaces/$ns';
const podSpec = (more: Json): Json => ({ containers: [{ name: 'c', image: 'i' }], ...more });
const inContainer = (more: Json): Json => ({ containers: [{ name: 'c', image: 'i', ...more }] });
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
const leases = '/apis/coordination.k8s.io/v1/namespaces/$ns/leases';
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
const deployments = '/apis/apps/v1/namespaces/$ns/deployments';
const account = { apiVersion: 'v1', kind: 'ServiceAccount' };
const accounts = `${core}/serviceaccounts`;
const ofTemplate = (spec: Json): Json => ({
  spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } },
});
const twoOf = (make: (name: string, content: string) => unknown) => (content: string) =>
  ['u1', 'u2'].map((name) => make(name, content));

const references = twoOf((uid, name) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid }));
const variables = twoOf((name, value) => ({ name, value }));
const mounts = twoOf((name, path) => ({ name: 'v', mountPath: `/${name}`, subPath: path }));
const secrets = twoOf((name, namespace) => ({ name, namespace }));
const finalizers = twoOf((name, other) => `example.com/${name}${other}`);

/** The collection, and the object without the list and with it. */
const places: Readonly<Record<string, readonly [string, Json, (content: string) => Json]>> = {
  owners: [leases, lease, (x) => ({ ...lease, metadata: { ownerReferences: references(x) } })],
  finalizers: [leases, lease, (x) => ({ ...lease, metadata: { finalizers: finalizers(x) } })],
  secrets: [accounts, account, (x) => ({ ...account, secrets: secrets(x) })],
  variables: [
    deployments,
    { ...deployment, ...ofTemplate(inContainer({})) },
    (x) => ({ ...deployment, ...ofTemplate(inContainer({ env: variables(x) })) }),
  ],
  mounts: [
    deployments,
    { ...deployment, ...ofTemplate(podSpec({ volumes: [{ name: 'v', emptyDir: {} }] })) },
    (x) => ({
      ...deployment,
      ...ofTemplate({ ...inContainer({ volumeMounts: mounts(x) }), volumes: [{ name: 'v', emptyDir: {} }] }),
    }),
  ],
};

const named = (object: Json): Json => ({
  ...object,
  metadata: { ...(object['metadata'] as Json), name: 'a' },
});

export const cases: readonly DifferentialCase[] = Object.entries(places).flatMap(
  ([name, [collection, without, having]]) => {
    const one = `${collection}/a`;
    const applied = (manager: string, object: Json) =>
      ask(`PATCH ${one}?fieldManager=${manager}&force=true`, named(object), applyPatch);
    const first = {
      created: [ask(`POST ${collection}?fieldManager=p`, named(having('x')))],
      merged: [
        ask(`POST ${collection}?fieldManager=p`, named(without)),
        ask(`PATCH ${one}?fieldManager=q`, having('x'), mergePatch),
      ],
      applied: [applied('p', having('x'))],
      put: [
        ask(`POST ${collection}?fieldManager=p`, named(without)),
        ask(`PUT ${one}?fieldManager=q`, named(having('x'))),
      ],
    };
    return Object.entries(first).flatMap(([how, made]) =>
      ['x', 'y'].map((content) => ({
        name: `${name}-${how}-${content === 'x' ? 'alike' : 'otherwise'}`,
        steps: [
          ...made,
          applied('one', having(content)),
          applied('one', without),
          ask(`GET ${one}`),
          applied('two', having('z')),
          applied('two', without),
          applied('p', without),
          ask(`GET ${one}`),
        ],
      })),
    );
  },
);
