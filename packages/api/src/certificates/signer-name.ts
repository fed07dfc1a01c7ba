/** Validates the names of signers (`example.com/my-signer`) and of their trust bundles. */

import { checkDnsLabel, checkDnsSubdomain, goQuote, type FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import { subdomainName, type NameRule } from '../meta/object-meta-validation.ts';

export function isKubernetesSigner(signerName: string): boolean {
  const host = signerName.split('/', 1)[0]!;
  return host === 'kubernetes.io' || host.endsWith('.kubernetes.io');
}

const domainLengthMax = 253;
const pathLengthMax = 253 + 63 + 1;

export function validateSignerName(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') {
    errors.required(path);
    return;
  }
  const segments = name.split('/');
  if (segments.length !== 2) {
    errors.invalid(
      path,
      name,
      "must be a fully qualified domain and path of the form 'example.com/signer-name'",
    );
    return;
  }
  const [domain, rest] = segments as [string, string];
  if (domain.length > domainLengthMax) errors.tooLong(path, domainLengthMax);
  validateLabels(domain, checkDnsLabel, path, errors);
  if (!domain.includes('.')) {
    errors.invalid(path, domain, 'should be a domain with at least two segments separated by dots');
  }
  validateLabels(rest, checkDnsSubdomain, path, errors);
  const lengthMax = domainLengthMax + pathLengthMax + 1;
  if (name.length > lengthMax) errors.tooLong(path, lengthMax);
}

/** Only the first invalid label is reported. */
function validateLabels(
  segment: string,
  test: (label: string) => readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  for (const label of segment.split('.')) {
    const messages = test(label);
    for (const message of messages) {
      errors.invalid(path, segment, `validating label ${goQuote(label)}: ${message}`);
    }
    if (messages.length > 0) return;
  }
}

/** The rule for the name of a signer's bundle: `example.com:my-signer:bundle`. */
export function trustBundleName(name: string): NameRule {
  const colon = name.lastIndexOf(':');
  return trustBundleNameOf(colon < 0 ? '' : name.slice(0, colon).replaceAll(':', '/'));
}

export const trustBundleNameOf =
  (signerName: string): NameRule =>
  (name, isPrefix) => {
    if (signerName === '') {
      return name.includes(':')
        ? ['ClusterTrustBundle without signer name must not have ":" in its name']
        : subdomainName(name, isPrefix);
    }
    const prefix = `${signerName.replaceAll('/', ':')}:`;
    return name.startsWith(prefix)
      ? subdomainName(name.slice(prefix.length), isPrefix)
      : [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
  };
