/** Validates ClusterTrustBundles: certificates of authorities, without duplicates. */

import { byteLength, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { immutable, pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import { nodeCrypto, readCertificate } from '../meta/node-crypto.ts';
import { pemBlocks, type PemBlock } from '../meta/pem.ts';
import { trustBundleNameOf, validateSignerName } from './signer-name.ts';

type Bundle = SpecObject<{ signerName?: string; trustBundle?: string }>;

const bundleBytesMax = 1024 * 1024;

export function validateTrustBundle({ metadata, spec }: Bundle, old: Bundle | undefined): FieldError[] {
  const errors = new Errors();
  const signerName = spec.signerName ?? '';
  const path = pathOf('spec', 'signerName');
  validateObjectMeta(metadata, { namespaced: false, name: trustBundleNameOf(signerName) }, errors);
  if (signerName !== '') validateSignerName(signerName, path, errors);
  const text = spec.trustBundle ?? '';
  if (text !== old?.spec.trustBundle) validateAnchors(text, pathOf('spec', 'trustBundle'), errors);
  if (old === undefined) return errors;
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  immutable(signerName, old.spec.signerName ?? '', path, errors);
  return errors;
}

/** Errors don't show the bundle's content. */
function validateAnchors(text: string, path: FieldPath, errors: Errors): void {
  const refuse = (detail: string) => errors.invalid(path, '<value omitted>', detail);
  if (byteLength(text) > bundleBytesMax) {
    errors.tooLong(path, bundleBytesMax);
    return;
  }
  const blocks = pemBlocks(text);
  const problems = blocks.map(anchorProblem);
  for (const [index, problem] of problems.entries()) {
    if (problem !== undefined) refuse(`entry ${index} ${problem}`);
  }
  if (problems.some((problem) => problem !== undefined)) return;
  if (blocks.length === 0) refuse('at least one trust anchor must be provided');
  for (const indices of sameBlocks(blocks)) refuse(`duplicate trust anchor (indices [${indices.join(' ')}])`);
}

function anchorProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  if (nodeCrypto() === undefined) return undefined;
  const certificate = readCertificate(bytes);
  if (certificate === undefined) return 'does not parse as X.509';
  return certificate.ca ? undefined : 'does not have the CA bit set';
}

/** The positions of blocks that occur several times. */
function sameBlocks(blocks: readonly PemBlock[]): number[][] {
  const places = Map.groupBy(blocks.keys(), (index) => blocks[index]!.bytes.join());
  return [...places.values()].filter((indices) => indices.length > 1);
}
