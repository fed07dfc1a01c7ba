/** Code that users of `@coxswain/client` may write, and code that the compiler must reject. */
import {
  Informer,
  customKind,
  createClient,
  type Draft,
  type KubeClient,
  type ObjectOf,
} from '@coxswain/client';
import { Deployment } from '@coxswain/api/apps/v1';
import { Pod, Service } from '@coxswain/api/core/v1';
import { connect, loadKubeconfig } from '@coxswain/client/node';
import crd from './crd.json';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_is: Equal<A, B>): void => undefined;

const metadata = { name: 'web' };
const containers = [{ name: 'web', image: 'nginx' }];

// Drafts: the schema's required members are there, what the server fills in may be missing.
export const web: Draft<Deployment> = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: { selector: { matchLabels: { app: 'web' } }, template: { spec: { containers } } },
};
export const pod: Draft<Pod> = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } };
export const service: Draft<Service> = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { ports: [{ port: 80 }] },
};
// @ts-expect-error nothing is said
export const empty: Draft<Deployment> = {};
// @ts-expect-error no spec
export const specless: Draft<Pod> = { apiVersion: 'v1', kind: 'Pod', metadata };
const nothing = [{}];
// @ts-expect-error a container has a name
export const nameless: Draft<Pod>['spec'] = { containers: nothing };
// @ts-expect-error another kind
export const other: Draft<Pod> = { apiVersion: 'v1', kind: 'Service', metadata, spec: { containers } };
// @ts-expect-error a port has a number
export const portless: Draft<Service>['spec'] = { ports: nothing };
// @ts-expect-error a text is no number
export const wrong: Draft<Deployment> = { ...web, spec: { ...web.spec, replicas: 'two' } };

export async function useClient(client: KubeClient): Promise<void> {
  const applied = await client.apply(web, { fieldManager: 'me' });
  same<typeof applied.kind, 'Deployment'>(true);
  // @ts-expect-error it does not say what it is
  await client.apply({ metadata }, { fieldManager: 'me' });
  // @ts-expect-error nor who applies it
  await client.apply(web);

  const pods = client.of(Pod).namespace('default');
  await pods.create({ metadata, spec: { containers } });
  await pods.create(pod);
  // @ts-expect-error containers are required
  await pods.create({ metadata, spec: {} });
  const found = await pods.get('web');
  same<typeof found.status.phase, string | undefined>(true as never);
  await pods.update(found);
  await pods.updateStatus(found);
  // An apply may contain any part of an object.
  await pods.apply({ metadata, spec: { nodeName: 'node-0' } }, { fieldManager: 'me' });
  await pods.patch('web', { metadata: { labels: null } }, { type: 'merge' });
  // @ts-expect-error there is no such type of patch
  await pods.patch('web', {}, { type: 'diff' });
  for await (const { metadata: meta } of pods.items({ labelSelector: 'a=b', limit: 5 }))
    meta.uid satisfies string | undefined;
  for await (const { type, object } of pods.watch())
    if (type === 'ADDED') object.spec.containers satisfies object[];
  await pods.delete('web', { propagationPolicy: 'Foreground' });
  // @ts-expect-error there is no such member
  void found.spec.nodename;

  const informer = new Informer({ resource: client.of(Pod) });
  informer.addHandler({ added: (added) => added.spec.containers satisfies object[] });
  informer.lister.get('web', 'default')?.status.phase satisfies string | undefined;
}

export const Widget = customKind({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer' },
                  colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
                },
              },
            },
          },
        },
      },
    ],
  },
});
type Widget = ObjectOf<typeof Widget>;
same<Widget['spec'], { size: number; colour: 'red' | 'blue' }>(true);
const draft: Draft<Widget> = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: { size: 3 } };
// @ts-expect-error size is required
export const sizeless: Draft<Widget> = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: {} };

export async function useWidgets(client: KubeClient): Promise<void> {
  const widgets = client.of(Widget).namespace('default');
  (await widgets.create(draft)).spec.colour satisfies 'red' | 'blue';
  await widgets.create({ metadata, spec: { size: 3 } });
  // @ts-expect-error size is required
  await widgets.create({ metadata, spec: { colour: 'red' } });
  await widgets.apply({ metadata, spec: { colour: 'blue' } }, { fieldManager: 'me' });
  await client.apply(Widget.definition, { fieldManager: 'me' });
}

// Names from a JSON file are known to the compiler.
const FromJson = customKind(crd);
export const sizeOf = (object: ObjectOf<typeof FromJson>): unknown => object.spec?.size;
// @ts-expect-error there is no such member
export const weightOf = (object: ObjectOf<typeof FromJson>): unknown => object.spec?.weight;

export const connected = (): KubeClient => connect(loadKubeconfig());
// @ts-expect-error a transport is needed
createClient({});
