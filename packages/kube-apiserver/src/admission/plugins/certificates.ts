/** Restricts who may approve and sign requests for a signer, and refuses requests for the group system:masters. */
import { deepEqual, goQuote, semanticDeepEqual } from '@coxswain/apimachinery';
import type { AdmissionPlugin, Authorizer } from '@coxswain/apiserver';
import type { CertificateSigningRequest } from '@coxswain/api/certificates/v1/certificate-signing-request.ts';
import { isTo, objectOf, oldObjectOf, on, refused } from '../attributes.ts';
import { certificateRequestSubject } from '../certificate-request-subject.ts';
import { maySign } from '../signer-permission.ts';

const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };
const clientSigner = 'kubernetes.io/kube-apiserver-client';

export const certificateApproval = (authorizer: Authorizer): AdmissionPlugin => ({
  name: 'CertificateApproval',
  handles: on('UPDATE'),
  concerns: (attributes) => isTo(attributes, requests, 'approval'),
  async validate(attributes) {
    const { signerName } = oldObjectOf<CertificateSigningRequest>(attributes).spec;
    if (await maySign(authorizer, attributes, 'approve', signerName)) return;
    throw refused(
      attributes,
      `user not permitted to approve requests with signerName ${goQuote(signerName)}`,
    );
  },
});

export const certificateSigning = (authorizer: Authorizer): AdmissionPlugin => ({
  name: 'CertificateSigning',
  handles: on('UPDATE'),
  concerns: (attributes) => isTo(attributes, requests, 'status'),
  async validate(attributes) {
    const { spec, status: old } = oldObjectOf<CertificateSigningRequest>(attributes);
    const { status } = objectOf<CertificateSigningRequest>(attributes);
    const unchanged =
      deepEqual(status.certificate, old.certificate) && semanticDeepEqual(status.conditions, old.conditions);
    if (unchanged || (await maySign(authorizer, attributes, 'sign', spec.signerName))) return;
    throw refused(
      attributes,
      `user not permitted to sign requests with signerName ${goQuote(spec.signerName)}`,
    );
  },
});

export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  handles: on('CREATE'),
  validate(attributes) {
    if (!isTo(attributes, requests)) return;
    const { request, signerName } = objectOf<CertificateSigningRequest>(attributes).spec;
    if (signerName !== clientSigner) return;
    const subject = certificateRequestSubject(request);
    if ('problem' in subject) throw refused(attributes, `failed to parse CSR: ${subject.problem}`);
    if (subject.organizations.includes('system:masters')) {
      throw refused(attributes, `use of ${clientSigner} signer with system:masters group is not allowed`);
    }
  },
};
