/** Objects that belong to a node by their name, a field, or the requested certificate. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { CertificateSigningRequest } from '@coxswain/api/certificates/v1/certificate-signing-request.ts';
import { objectOf, refused } from '../attributes.ts';
import { certificateRequestSubject } from '../certificate-request-subject.ts';
import type { NodeWrite } from './node-write.ts';

export function checkNamedLikeNode({ attributes, node }: NodeWrite, what: string): void {
  const name = attributes.operation === 'CREATE' ? attributes.object?.metadata.name : attributes.name;
  if (name !== node) {
    throw refused(attributes, `can only access ${what} with the same name as the requesting node`);
  }
}

interface Slice extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
}

export function checkResourceSlice({ attributes, node }: NodeWrite): void {
  const { operation } = attributes;
  if (operation !== 'CREATE' && operation !== 'DELETE') return;
  const slice = (operation === 'CREATE' ? attributes.object : attributes.oldObject) as Slice | undefined;
  if (slice?.spec?.nodeName === node) return;
  throw refused(
    attributes,
    `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`,
  );
}

const nodeSigners: ReadonlySet<string> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);

export function checkCertificateSigningRequest({ attributes, node }: NodeWrite): void {
  if (attributes.operation !== 'CREATE') return;
  const { signerName, request } = objectOf<CertificateSigningRequest>(attributes).spec;
  if (!nodeSigners.has(signerName)) return;
  const subject = certificateRequestSubject(request);
  if ('problem' in subject) throw refused(attributes, `unable to parse csr: ${subject.problem}`);
  if (subject.commonName !== `system:node:${node}`) {
    throw refused(attributes, `can only create a node CSR with CN=system:node:${node}`);
  }
}
