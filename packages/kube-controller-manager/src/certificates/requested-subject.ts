/** Reads the subject of the PKCS #10 request in a CertificateSigningRequest. */
import type { JsonGeneralName, Pkcs10CertificateRequest } from '@peculiar/x509';
import type { CertificateRequest } from './certificate-request.ts';
import { loadX509 } from './load-x509.ts';

export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly names: readonly JsonGeneralName[];
  readonly pkcs10: Pkcs10CertificateRequest;
}

/** @throws Error if it contains no readable request */
export async function requestedSubject({ metadata, spec }: CertificateRequest): Promise<RequestedSubject> {
  const x509 = await loadX509();
  const pem = atob(spec.request);
  if (!pem.includes('-----BEGIN CERTIFICATE REQUEST-----')) {
    throw new Error(`unable to parse csr "${metadata.name}": PEM block type must be CERTIFICATE REQUEST`);
  }
  const pkcs10 = new x509.Pkcs10CertificateRequest(pem);
  const alternative = pkcs10.extensions.find((one) => one instanceof x509.SubjectAlternativeNameExtension);
  return {
    commonName: pkcs10.subjectName.getField('CN').at(-1) ?? '',
    organizations: pkcs10.subjectName.getField('O'),
    names: alternative?.names.toJSON() ?? [],
    pkcs10,
  };
}
