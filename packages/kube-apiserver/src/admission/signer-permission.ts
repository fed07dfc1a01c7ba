/** Whether a user may approve, sign or attest for a signer. */
import type { AdmissionAttributes, Authorizer } from '@coxswain/apiserver';

/** Checks the permission for the signer's full name, then for all signers of its domain. */
export async function maySign(
  authorizer: Authorizer,
  { user, observer }: AdmissionAttributes,
  verb: string,
  signerName: string,
): Promise<boolean> {
  const domain = signerName.split('/', 1)[0]!;
  for (const name of [signerName, `${domain}/*`]) {
    const decision = await authorizer.decide({
      user,
      verb,
      namespace: '',
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'signers',
      subresource: '',
      name,
      isResourceRequest: true,
      path: '',
      observer,
    });
    if (decision.kind === 'allow') return true;
  }
  return false;
}
