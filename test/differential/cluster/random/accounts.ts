/** Accounts and the secrets that hold tokens of theirs, made, changed and deleted in random order. */
import type { Choices } from '../choices.ts';
import type { JsonObject, Step, Story } from '../scenario.ts';
import { create, item, patch, pod, remove, view, wait } from '../scenarios/building.ts';

const type = 'kubernetes.io/service-account-token';
const nameKey = 'kubernetes.io/service-account.name';

export function accountStory(choose: Choices): Story {
  const account = () => choose.one(['a', 'a', 'b', 'default']);
  const secret = () => `t${choose.whole(0, 2)}`;
  const annotations = (): JsonObject => ({
    ...choose.maybe(0.9, () => ({ [nameKey]: account() })),
    ...choose.maybe(0.1, () => ({
      'kubernetes.io/service-account.uid': choose.one(['x', '$a.metadata.uid']),
    })),
  });
  const token = (name = secret()): Step => ({
    ...create('Secret', name, {
      metadata: {
        annotations: annotations(),
        ...choose.maybe(0.15, () => ({ finalizers: ['x.org/f'] })),
      },
      ...choose.maybe(0.9, () => ({ type })),
      ...choose.maybe(0.3, () => ({
        data: choose.one([{ mine: 'eA==' }, { token: 'eA==' }, { namespace: 'eA==' }, { 'ca.crt': 'eA==' }]),
      })),
    }),
    full: true,
  });
  const user = (at: number): Step => ({
    ...pod(`p${at}`, {
      run: 'hold',
      spec: {
        ...choose.maybe(0.7, () => ({ serviceAccountName: choose.one(['a', 'b', 'none']) })),
        ...choose.maybe(0.3, () => ({ automountServiceAccountToken: choose.chance(0.5) })),
        ...choose.maybe(0.3, () => ({ imagePullSecrets: [{ name: 'mine' }] })),
      },
    }),
    full: true,
  });
  const asked = (at: number): Step => ({
    req: `POST ${item('ServiceAccount', account())}/token`,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        ...choose.maybe(0.6, () => ({ audiences: choose.some(['api', 'x', '']) })),
        ...choose.maybe(0.5, () => ({ expirationSeconds: choose.one([0, 599, 600, 3600, 4294967297]) })),
        ...choose.maybe(0.6, () => ({
          boundObjectRef: {
            kind: choose.one(['Pod', 'Secret', 'Node', 'ConfigMap']),
            apiVersion: choose.one(['v1', 'v1', 'apps/v1']),
            name: choose.one(['p0', 't0', 'none']),
            ...choose.maybe(0.3, () => ({ uid: choose.one(['x', '$a.metadata.uid']) })),
          },
        })),
      },
    },
    name: `token-${at}`,
    full: true,
  });
  const happens: readonly ((at: number) => Step)[] = [
    () => token(),
    () => remove('Secret', secret()),
    () => remove('ServiceAccount', account()),
    () => create('ServiceAccount', choose.one(['a', 'b'])),
    () => ({
      ...patch('Secret', secret(), { metadata: { annotations: { [nameKey]: account() } } }),
      full: true,
    }),
    () => ({
      ...patch('Secret', secret(), { data: choose.one([null, { token: null }, { token: 'eA==' }]) }),
      full: true,
    }),
    () => patch('Secret', secret(), { metadata: { finalizers: null } }),
    (at) => user(at + 1),
    asked,
  ];
  const mine: JsonObject = choose.maybe(0.4, () => ({
    ...choose.maybe(0.5, () => ({ imagePullSecrets: [{ name: 'pull' }] })),
    ...choose.maybe(0.5, () => ({ automountServiceAccountToken: false })),
    ...choose.maybe(0.5, () => ({ secrets: [{ name: 't0' }] })),
  }));
  const looks = (name: string) => [wait(800), view(name, 'ServiceAccount', 'Secret')];
  return {
    steps: [
      create('ServiceAccount', 'a', mine, { name: 'a' }),
      ...choose.times(1, 2, (at) => token(`t${at}`)),
      user(0),
      ...looks('made'),
      ...choose.times(2, 4, (at) => [choose.one(happens)(at), ...looks(`after-${at}`)]).flat(),
    ],
  };
}
