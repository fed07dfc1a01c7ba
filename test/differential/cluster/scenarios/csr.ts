import type { JsonObject, Scenario, Step } from '../scenario.ts';
import { collection, object, remove, scenario, view, wait } from './building.ts';

/** For CN=system:node:oracle-1, O=system:nodes, without other names; and one with a DNS name and an address. */
const nodeRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlId01JR1lBZ0VBTURZeEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVkTUJzR0ExVUVBd3dVYzNsegpkR1Z0T201dlpHVTZiM0poWTJ4bExURXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBU0FxamNlClpsWkpNd2tUSk1RUDBnREdycC9FZy9WQjhvdEdGS3JBM04rY3FROC9MQjNIcFRFY2F5OTNsYUV3eVg4U3hiU3MKQ1NpQ1haenpGbzhTUTNoTm9BQXdDZ1lJS29aSXpqMEVBd0lEUndBd1JBSWdGMktwVElSSFJxK3FXb3A3QkFlYwpjdkowc2JNaktsT3pSNWhhMzdBOExWSUNJQTUzMDJCN0ZyMEc2cnJPU1Fvdkc2c0Mrb2NBVVRZUjcvMVFNTDN4CmE3WDAKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';
export const clientUsages = ['key encipherment', 'digital signature', 'client auth'];
export const serverUsages = ['key encipherment', 'digital signature', 'server auth'];

export const request = (spec: JsonObject, as?: Step['impersonate']): Step => ({
  req: `POST ${collection('CertificateSigningRequest')}`,
  body: object('CertificateSigningRequest', 'r-$id', {
    spec: {
      request: nodeRequest,
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: clientUsages,
      ...spec,
    },
  }),
  ...(as ? { impersonate: as } : {}),
});
export const decide = (...types: string[]): Step => ({
  req: `PATCH ${collection('CertificateSigningRequest')}/r-$id/approval`,
  body: {
    status: {
      conditions: types.map((type) => ({ type, status: 'True', reason: 'ByHand', message: 'by hand' })),
    },
  },
});
export const seen = (name: string) => view(name, `${collection('CertificateSigningRequest')}/r-$id`);
export const node = { user: 'system:node:oracle-1', groups: ['system:nodes', 'system:authenticated'] };
export const kubelet = 'kubernetes.io/kube-apiserver-client-kubelet';

export const csrScenarios: readonly Scenario[] = [
  scenario('short-lifetime', request({ expirationSeconds: 600 }), decide('Approved'), seen('after')),
  scenario(
    'denied-after-approval',
    request({}),
    decide('Approved'),
    seen('signed'),
    decide('Denied'),
    seen('after'),
  ),
  scenario('approved-and-denied', request({}), decide('Approved', 'Denied'), seen('after')),
  scenario('node-asks-for-itself', request({ signerName: kubelet }, node), seen('after')),
  scenario(
    'kubelet-client-without-key-encipherment',
    request({ signerName: kubelet, usages: ['digital signature', 'client auth'] }),
    seen('after'),
  ),
  scenario(
    'kubelet-client-with-server-usage',
    request({ signerName: kubelet, usages: serverUsages }),
    decide('Approved'),
    seen('after'),
  ),
  scenario(
    'serving-with-client-usage',
    request({ signerName: 'kubernetes.io/kubelet-serving', usages: clientUsages }),
    decide('Approved'),
    seen('after'),
  ),
  scenario(
    'serving-without-names',
    request({ signerName: 'kubernetes.io/kubelet-serving', usages: serverUsages }, node),
    decide('Approved'),
    seen('after'),
  ),
  scenario(
    'client-signer-with-server-usage',
    request({ usages: serverUsages }),
    decide('Approved'),
    seen('after'),
  ),
  scenario('any-usage-of-client', request({ usages: ['client auth'] }), decide('Approved'), seen('after')),
  scenario(
    'foreign-signer-approved',
    request({ signerName: 'x.org/signer' }),
    decide('Approved'),
    seen('after'),
  ),
  scenario('no-request-inside', request({ request: 'bm90aGluZw==' }), seen('after')),
  scenario(
    'deleted-while-pending',
    request({}),
    wait(500),
    remove('CertificateSigningRequest', 'r-$id'),
    seen('gone'),
  ),
];
