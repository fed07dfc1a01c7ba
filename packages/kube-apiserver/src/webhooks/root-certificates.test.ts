import { expect, test } from 'vitest';
import { checkRootCertificates } from './root-certificates.ts';

const block = (type: string, content: string) =>
  `-----BEGIN ${type}-----\n${content}\n-----END ${type}-----\n`;

test.each([
  ['nope', 'unable to parse bytes as PEM block'],
  [block('CERTIFICATE', 'MIIB'), 'failed to parse certificate: x509: malformed certificate'],
  [block('CERTIFICATE', '!!!!'), 'unable to parse bytes as PEM block'],
  [block('PRIVATE KEY', 'MIIB'), 'no valid certificate authority data seen'],
  [`${block('PRIVATE KEY', 'MIIB')}more`, 'unable to parse bytes as PEM block'],
])('without a certificate %j is refused: %s', (pem, problem) => {
  expect(() => checkRootCertificates(pem)).toThrow(`unable to load root certificates: ${problem}`);
});
