/** Bodies in protobuf that are damaged: cut, with bytes changed, added, removed or repeated. */
import { protobufBodies } from '@coxswain/client/protobuf.ts';
import { seededRandom } from '@coxswain/apimachinery';
import { Choices } from '../cluster/choices.ts';
import { ask, type DifferentialCase } from './case.ts';

const labels = { a: 'b' };
const container = {
  name: 'c',
  image: 'i',
  env: [{ name: 'A', value: 'b' }],
  ports: [{ containerPort: 80, name: 'web' }],
  resources: { requests: { cpu: '1' } },
  livenessProbe: { httpGet: { path: '/', port: 80 } },
};
const podSpec = {
  containers: [container],
  nodeSelector: { x: 'y' },
  securityContext: { supplementalGroups: [1, 2], runAsNonRoot: true },
};

const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/api/v1/namespaces/$ns/configmaps': {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', labels, creationTimestamp: '2020-01-02T03:04:05Z' },
    data: { k: 'v', l: 'w' },
    binaryData: { b: 'AAEC' },
    immutable: true,
  },
  '/api/v1/namespaces/$ns/pods': {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'a',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'u', controller: true }],
    },
    spec: podSpec,
  },
  '/apis/apps/v1/namespaces/$ns/deployments': {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels, matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      template: { metadata: { labels }, spec: podSpec },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
    },
  },
  '/apis/coordination.k8s.io/v1/namespaces/$ns/leases': {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'a' },
    spec: { holderIdentity: 'h', leaseDurationSeconds: 3, renewTime: '2020-01-02T03:04:05.000006Z' },
  },
  '/apis/apps/v1/namespaces/$ns/controllerrevisions': {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: 'a' },
    revision: 3,
  },
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ws.e.com' },
    spec: {
      group: 'e.com',
      scope: 'Cluster',
      names: { plural: 'ws', kind: 'W' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { a: { type: 'number', minimum: 1.5, enum: [2, 3], default: 2 } },
              additionalProperties: { type: 'string' },
            },
          },
        },
      ],
    },
  },
};

const mutationsPerBody = 120;

/** Bytes that mean something as tags or lengths; none that makes text invalid UTF-8, which strings here cannot hold. */
const tellingBytes = [0x00, 0x01, 0x07, 0x08, 0x0a, 0x0b, 0x0c, 0x0d, 0x10, 0x12, 0x1a, 0x22, 0x7a, 0x7f];

const damagedBodies = Object.entries(bodies).map(([path, body], at): DifferentialCase => {
  const choices = new Choices(seededRandom(at + 32));
  const whole = Buffer.from(protobufBodies.encode(body)!);
  return {
    name: `damaged-${(body as { kind: string }).kind.toLowerCase()}`,
    needs: ['protobuf'],
    steps: Array.from({ length: mutationsPerBody }, () =>
      ask(
        `POST ${path}?dryRun=All`,
        { base64: damaged(whole, choices).toString('base64') },
        { type: 'application/vnd.kubernetes.protobuf', ignore: ['metadata.managedFields'] },
      ),
    ),
  };
});

function damaged(whole: Buffer, choices: Choices): Buffer {
  const from = choices.whole(0, whole.length - 1);
  const byte = choices.one(tellingBytes);
  const head = whole.subarray(0, from);
  switch (choices.one(['change', 'change', 'change', 'bit', 'cut', 'add', 'remove', 'repeat'])) {
    case 'cut':
      return Buffer.from(head);
    case 'add':
      return Buffer.concat([head, Buffer.of(byte), whole.subarray(from)]);
    case 'remove':
      return Buffer.concat([head, whole.subarray(from + 1)]);
    case 'repeat':
      return Buffer.concat([
        head,
        whole.subarray(Math.max(0, from - choices.whole(1, 12))),
        whole.subarray(from),
      ]);
    case 'bit':
      return Buffer.concat([
        head,
        Buffer.of(whole[from]! ^ (1 << choices.whole(0, 6))),
        whole.subarray(from + 1),
      ]);
    default:
      return Buffer.concat([head, Buffer.of(byte), whole.subarray(from + 1)]);
  }
}

/** What encoders of other languages may send: packed numbers, groups, unknown fields, numbers of ten bytes. */
const field = (...bytes: readonly (number | readonly number[])[]): readonly number[] => bytes.flat();
const delimited = (number: number, content: readonly number[]): readonly number[] =>
  field((number << 3) | 2, content.length, content);
const text = (number: number, value: string): readonly number[] => delimited(number, [...Buffer.from(value)]);
const metadata = delimited(1, text(1, 'a'));
const overlong = [...Array.from({ length: 10 }, () => 0x80), 0x01];
const minusOne = [...Array.from({ length: 9 }, () => 0xff), 0x01];

const leases = '/apis/coordination.k8s.io/v1/namespaces/$ns/leases';
const pods = '/api/v1/namespaces/$ns/pods';
const podWith = (spec: readonly number[]) =>
  field(metadata, delimited(2, field(delimited(2, field(text(1, 'c'), text(2, 'i'))), spec)));
const leaseWith = (spec: readonly number[]) => field(metadata, delimited(2, spec));

const unusual: Readonly<Record<string, readonly [path: string, kind: string, message: readonly number[]]>> = {
  'number of ten bytes': [leases, 'Lease', leaseWith(field(0x10, minusOne))],
  'number too long': [leases, 'Lease', leaseWith(field(0x10, overlong))],
  'number beyond 32 bits': [leases, 'Lease', leaseWith(field(0x10, [0x83, 0x80, 0x80, 0x80, 0x10]))],
  'negative length': [leases, 'Lease', leaseWith(field(0x0a, minusOne))],
  'negative length of a message': [leases, 'Lease', field(metadata, 0x12, minusOne)],
  'negative length of an unknown field': [leases, 'Lease', leaseWith(field(0x7a, minusOne))],
  'field number beyond 32 bits': [
    leases,
    'Lease',
    leaseWith(field([0x8a, 0x80, 0x80, 0x80, 0x80, 0x01], 1, 0x41)),
  ],
  'negative field number': [leases, 'Lease', leaseWith(field([0x88, 0x80, 0x80, 0x80, 0x78], 1))],
  group: [leases, 'Lease', leaseWith(field(0x7b, 0x08, 0x01, 0x7c))],
  'group in a group': [leases, 'Lease', leaseWith(field(0x7b, 0x73, 0x0a, 0x01, 0x41, 0x74, 0x7c))],
  'group without an end': [leases, 'Lease', leaseWith(field(0x7b, 0x08, 0x01))],
  'end of a group': [leases, 'Lease', leaseWith([0x7c])],
  'time twice': [leases, 'Lease', leaseWith(field(delimited(4, [0x08, 1]), delimited(4, [0x10, 2])))],
  'time before 1970': [leases, 'Lease', leaseWith(delimited(4, field(0x08, minusOne)))],
  'nanoseconds of two seconds': [
    leases,
    'Lease',
    leaseWith(delimited(4, [0x08, 1, 0x10, 0x80, 0xa8, 0xd6, 0xb9, 0x07])),
  ],
  'text twice': [leases, 'Lease', leaseWith(field(text(1, 'a'), text(1, 'b')))],
  'message twice': [leases, 'Lease', field(metadata, delimited(2, text(1, 'a')), delimited(2, [0x10, 3]))],
  'metadata twice': [
    leases,
    'Lease',
    field(metadata, delimited(1, delimited(11, field(text(1, 'k'), text(2, 'v'))))),
  ],
  'numbers of a list': [pods, 'Pod', podWith(delimited(14, [0x20, 1, 0x20, 2]))],
  'packed numbers': [pods, 'Pod', podWith(delimited(14, delimited(4, [1, 2])))],
  'packed numbers, cut': [pods, 'Pod', podWith(delimited(14, delimited(4, [1, 0x80])))],
  'list of another wire type': [pods, 'Pod', podWith(delimited(14, [0x25, 1, 0, 0, 0]))],
  'map entry without a key': [pods, 'Pod', podWith(delimited(7, text(2, 'v')))],
  'map entry without a value': [pods, 'Pod', podWith(delimited(7, text(1, 'k')))],
  'map key twice': [
    pods,
    'Pod',
    podWith(field(delimited(7, text(1, 'k')), delimited(7, field(text(1, 'k'), text(2, 'v'))))),
  ],
  'bad quantity': [pods, 'Pod', podWith(delimited(32, field(text(1, 'cpu'), delimited(2, text(1, 'x')))))],
  'empty quantity': [pods, 'Pod', podWith(delimited(32, field(text(1, 'cpu'), delimited(2, []))))],
  'spelling of a quantity': [
    pods,
    'Pod',
    podWith(delimited(32, field(text(1, 'cpu'), delimited(2, text(1, '1000m'))))),
  ],
};

const envelope = (
  apiVersion: string,
  kind: string,
  message: readonly number[],
  more: readonly number[] = [],
) => ({
  base64: Buffer.of(
    ...Buffer.from('k8s\0'),
    ...delimited(1, field(text(1, apiVersion), text(2, kind))),
    ...delimited(2, message),
    ...more,
  ).toString('base64'),
});

const lease = (message: readonly number[] = metadata, more?: readonly number[]) =>
  envelope('coordination.k8s.io/v1', 'Lease', message, more);
const send = (req: string, body: unknown) =>
  ask(req, body, { type: 'application/vnd.kubernetes.protobuf', ignore: ['metadata.managedFields'] });

export const cases: readonly DifferentialCase[] = [
  ...damagedBodies,
  {
    name: 'unusual-encodings',
    needs: ['protobuf'],
    steps: Object.entries(unusual).map(([name, [path, kind, message]]) => ({
      ...send(
        `POST ${path}?dryRun=All`,
        envelope(kind === 'Pod' ? 'v1' : 'coordination.k8s.io/v1', kind, message),
      ),
      name: name.replaceAll(/\W+/g, '-'),
    })),
  },
  {
    name: 'envelopes',
    needs: ['protobuf'],
    steps: [
      send(`POST ${leases}`, { base64: Buffer.from('k8s\0').toString('base64') }),
      send(`POST ${leases}`, { base64: Buffer.from('k8s').toString('base64') }),
      send(`POST ${leases}?dryRun=All`, envelope('', '', metadata)),
      send(`POST ${leases}?dryRun=All`, envelope('v1', '', metadata)),
      send(`POST ${leases}?dryRun=All`, envelope('', 'Lease', metadata)),
      send(`POST ${leases}?dryRun=All`, envelope('', 'Pod', metadata)),
      send(`POST ${leases}?dryRun=All`, envelope('coordination.k8s.io/', 'Lease', metadata)),
      send(`POST ${leases}?dryRun=All`, envelope('a/b/c', 'Lease', metadata)),
      send(`POST ${leases}?dryRun=All`, lease(metadata, text(3, 'gzip'))),
      send(`POST ${leases}?dryRun=All`, lease(metadata, text(4, 'application/json'))),
      send(`POST ${leases}?dryRun=All`, lease(metadata, text(5, 'more'))),
      send(`POST ${leases}?dryRun=All`, lease(metadata, delimited(2, delimited(1, text(1, 'b'))))),
      ...['DeleteOptions', 'Lease', 'Status', 'CreateOptions', ''].flatMap((kind) =>
        ['v1', 'meta.k8s.io/v1', 'coordination.k8s.io/v1', 'x/', 'a/b/c', ''].map((apiVersion) =>
          send(`DELETE ${leases}/none`, envelope(apiVersion, kind, [])),
        ),
      ),
      send(`DELETE ${leases}/none`, envelope('v1', 'DeleteOptions', [0x0a, 1])),
      send(`DELETE ${leases}/none`, envelope('v1', 'DeleteOptions', text(4, 'Sideways'))),
      send(`DELETE ${leases}`, envelope('v1', 'Lease', metadata)),
      ...['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'].map(
        (type) => ask(`PATCH ${leases}/none?fieldManager=m`, lease(), { type: `application/${type}` }),
      ),
      send(`PATCH ${leases}/none`, lease()),
      send(`PUT ${leases}/a`, lease()),
    ],
  },
];
