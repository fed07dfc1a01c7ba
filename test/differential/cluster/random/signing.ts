/** Requests for certificates at random: who asks for what, and what is decided about it. */
import type { Choices } from '../choices.ts';
import type { JsonObject, Step, Story } from '../scenario.ts';
import { collection, patch, remove, view, wait } from '../scenarios/building.ts';
import { clientUsages, kubelet, node, request, serverUsages } from '../scenarios/csr.ts';

const signers = [
  'kubernetes.io/kube-apiserver-client',
  kubelet,
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/legacy-unknown',
  'x.org/signer',
];
const one = `${collection('CertificateSigningRequest')}/r-$id`;

export function signingStory(choose: Choices): Story {
  const usages = (): string[] =>
    choose.one([
      clientUsages,
      serverUsages,
      ['digital signature', 'client auth'],
      ['digital signature', 'server auth'],
      ['client auth'],
      ['any'],
      choose.some(['key encipherment', 'digital signature', 'client auth', 'server auth', 'signing'], 0.6),
    ]);
  const condition = (): JsonObject => ({
    type: choose.one(['Approved', 'Approved', 'Denied', 'Failed', 'Odd']),
    ...choose.maybe(0.9, () => ({ status: choose.one(['True', 'True', 'True', 'False', 'Unknown']) })),
    ...choose.maybe(0.7, () => ({ reason: choose.one(['ByHand', 'Other']), message: 'by hand' })),
    ...choose.maybe(0.1, () => ({ lastUpdateTime: '2020-01-02T03:04:05Z' })),
  });
  const decision = (sub: string) => (): Step => ({
    req: `PATCH ${one}/${sub}`,
    body: { status: { conditions: choose.times(0, 2, condition) } },
    full: true,
  });
  const user = choose.one([
    undefined,
    undefined,
    node,
    { user: 'system:bootstrap:abc', groups: ['system:bootstrappers', 'system:authenticated'] },
  ]);
  const asked = request(
    {
      signerName: choose.one(signers),
      usages: usages(),
      ...choose.maybe(0.3, () => ({ expirationSeconds: choose.one([0, 599, 600, 86_400]) })),
      ...choose.maybe(0.1, () => ({ request: 'bm90aGluZw==' })),
    },
    user,
  );
  const happens: readonly (() => Step)[] = [
    decision('approval'),
    decision('approval'),
    decision('status'),
    () => ({
      req: `PATCH ${one}/status`,
      body: { status: { certificate: choose.one(['bm8=', '', null]) } },
      full: true,
    }),
    () => ({ ...patch('CertificateSigningRequest', 'r-$id', { spec: { usages: usages() } }), full: true }),
    () => remove('CertificateSigningRequest', 'r-$id'),
  ];
  const looks = (name: string) => [wait(700), view(name, one)];
  return {
    steps: [
      { ...asked, full: true },
      ...looks('asked'),
      ...choose.times(1, 3, (at) => [choose.one(happens)(), ...looks(`after-${at}`)]).flat(),
    ],
  };
}
