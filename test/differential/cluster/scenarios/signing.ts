/** Requests for certificates: what is signed, refused and left alone. */
import type { JsonObject, Scenario, Step } from '../scenario.ts';
import { collection, item, object, patch, remove, scenario, wait } from './building.ts';
import { clientUsages, decide, kubelet, node, request, seen, serverUsages } from './csr.ts';

const approval = (body: JsonObject): Step => ({
  req: `PATCH ${collection('CertificateSigningRequest')}/r-$id/approval`,
  body,
  full: true,
});
const status = (body: JsonObject): Step => ({
  req: `PATCH ${collection('CertificateSigningRequest')}/r-$id/status`,
  body,
  full: true,
});
const condition = (type: string, state = 'True', more: JsonObject = {}): JsonObject => ({
  type,
  status: state,
  reason: 'R',
  message: 'm',
  ...more,
});
const serving = 'kubernetes.io/kubelet-serving';
const legacy = 'kubernetes.io/legacy-unknown';

export const signingScenarios: readonly Scenario[] = [
  scenario('denied-at-once', request({}), decide('Denied'), seen('after')),
  scenario('pending-for-ever', request({}), wait(800), seen('after')),
  scenario('legacy-signer', request({ signerName: legacy }), decide('Approved'), seen('after')),
  scenario(
    'legacy-signer-any-usage',
    request({ signerName: legacy, usages: ['any'] }),
    decide('Approved'),
    seen('after'),
  ),
  scenario('client-signer-any-usage', request({ usages: ['any'] }), decide('Approved'), seen('after')),
  scenario(
    'client-signer-two-usages',
    request({ usages: ['client auth', 'digital signature'] }),
    decide('Approved'),
    seen('after'),
  ),
  scenario('kubelet-client-as-admin', request({ signerName: kubelet }), decide('Approved'), seen('after')),
  scenario(
    'kubelet-client-as-bootstrapper',
    request(
      { signerName: kubelet },
      { user: 'system:bootstrap:abc', groups: ['system:bootstrappers', 'system:authenticated'] },
    ),
    seen('after'),
  ),
  scenario(
    'serving-as-node',
    request({ signerName: serving, usages: serverUsages }, node),
    wait(800),
    seen('after'),
  ),
  scenario(
    'serving-approved-as-admin',
    request({ signerName: serving, usages: serverUsages }),
    decide('Approved'),
    seen('after'),
  ),
  scenario(
    'approval-of-unknown-type',
    request({}),
    approval({ status: { conditions: [condition('Odd')] } }),
    seen('after'),
  ),
  scenario(
    'approval-not-true',
    request({}),
    approval({ status: { conditions: [condition('Approved', 'False')] } }),
  ),
  scenario(
    'approval-taken-back',
    request({}),
    decide('Approved'),
    seen('signed'),
    approval({ status: { conditions: [] } }),
  ),
  scenario(
    'failed-by-hand',
    request({ signerName: 'x.org/signer' }),
    decide('Approved'),
    status({
      status: {
        conditions: [
          condition('Approved', 'True', { reason: 'ByHand', message: 'by hand' }),
          condition('Failed'),
        ],
      },
    }),
    seen('after'),
  ),
  scenario(
    'certificate-by-hand-is-no-certificate',
    request({ signerName: 'x.org/signer' }),
    decide('Approved'),
    status({ status: { certificate: 'bm8=' } }),
  ),
  scenario('spec-cannot-change', request({}), {
    ...patch('CertificateSigningRequest', 'r-$id', { spec: { usages: serverUsages } }),
    full: true,
  }),
  scenario(
    'labels-can-change',
    request({}),
    patch('CertificateSigningRequest', 'r-$id', { metadata: { labels: { a: 'b' } } }),
    seen('after'),
  ),
  scenario('lifetime-too-short', { ...request({ expirationSeconds: 599 }), full: true }),
  scenario('lifetime-longest', request({ expirationSeconds: 2147483647 }), decide('Approved'), seen('after')),
  scenario(
    'signer-of-kubernetes-unknown',
    { ...request({ signerName: 'kubernetes.io/none' }), full: true },
    decide('Approved'),
    seen('after'),
  ),
  scenario('odd-signer-name', { ...request({ signerName: 'nodomain' }), full: true }),
  scenario('odd-usages', { ...request({ usages: ['to fly', ...clientUsages, 'client auth'] }), full: true }),
  scenario(
    'deleted-when-signed',
    request({}),
    decide('Approved'),
    seen('signed'),
    remove('CertificateSigningRequest', 'r-$id'),
    seen('gone'),
  ),
  scenario(
    'same-name-twice',
    request({}),
    { ...request({}), full: true },
    { req: `GET ${item('CertificateSigningRequest', 'none-$id')}`, full: true },
    {
      req: `POST ${collection('CertificateSigningRequest')}`,
      body: object('CertificateSigningRequest', 'e-$id', { spec: {} }),
      full: true,
    },
  ),
];
