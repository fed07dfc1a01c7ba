/** Checks the authorities of a server's certificate as Go parses them. */
import { pemBlocks } from '@coxswain/api/meta/pem.ts';
import { readCertificate } from '@coxswain/apiserver/authentication/x509/certificate.ts';

/** One certificate suffices. @throws Error with upstream's message when there is none */
export function checkRootCertificates(pem: string): void {
  const problems = pemBlocks(pem)
    .filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders)
    .map(({ bytes }) => problemOf(bytes));
  if (problems.includes(undefined)) return;
  throw new Error(`unable to load root certificates: ${problems[0] ?? unread(pem)}`);
}

/** Other blocks are skipped; the parser searches for another block after the last one. */
const unread = (pem: string): string =>
  pemBlocks(pem).length > 0 && /-----END [^\n]*-----[ \t]*\n?$/.test(pem)
    ? 'no valid certificate authority data seen'
    : 'unable to parse bytes as PEM block';

function problemOf(der: Uint8Array): string | undefined {
  try {
    readCertificate(der);
    return undefined;
  } catch {
    return 'failed to parse certificate: x509: malformed certificate';
  }
}
