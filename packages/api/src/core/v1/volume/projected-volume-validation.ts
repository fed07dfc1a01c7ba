/** Validates volumes that project several sources into one directory. */

import { validateUserAnnotations } from '../../../certificates/pod-certificate-validation.ts';
import { invalidError, validateLabelSelector, type FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../../../meta/checks.ts';
import { goStruct } from '../../../meta/go-struct.ts';
import {
  trustBundleName,
  validateSignerName,
  isKubernetesSigner,
} from '../../../certificates/signer-name.ts';
import { validateDownwardFile } from '../pod/downward-api-validation.ts';
import type { KeyToPath } from '../key-to-path.ts';
import { fileMode, localNonReservedPath } from '../pod/path-validation.ts';
import type { PodOptions } from '../pod/pod-options.ts';
import {
  ClusterTrustBundleProjection,
  type PodCertificateProjection,
  type ServiceAccountTokenProjection,
  type VolumeProjection,
} from '../volume-projection.ts';
import type { ProjectedVolumeSource } from '../volume-sources.ts';
import { keyToPath } from './volume-source-validation.ts';

export function validateProjected(
  projected: ProjectedVolumeSource,
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  fileMode(projected.defaultMode, path, 'defaultMode', errors);
  const paths = new UsedPaths(path, errors);
  for (const [index, source] of (projected.sources ?? []).entries()) {
    const sourcePath = path.child('sources').index(index);
    validateSource(source, sourcePath, path, paths, options, errors);
    if (sourceNames.filter((name) => source[name] != null).length > 1) {
      errors.forbidden(sourcePath, 'may not specify more than 1 volume type per source');
    }
  }
}

const sourceNames = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

/** No two sources may write the same file. */
class UsedPaths {
  readonly #used = new Set<string>();
  readonly #volumePath: FieldPath;
  readonly #errors: Errors;

  constructor(volumePath: FieldPath, errors: Errors) {
    this.#volumePath = volumePath;
    this.#errors = errors;
  }

  take(file: string, shown = file): void {
    if (this.#used.has(file))
      this.#errors.push(invalidError(this.#volumePath, shown, 'conflicting duplicate paths'));
    this.#used.add(file);
  }
}

function validateSource(
  source: VolumeProjection,
  path: FieldPath,
  volumePath: FieldPath,
  paths: UsedPaths,
  options: PodOptions,
  errors: Errors,
): void {
  for (const name of ['secret', 'configMap'] as const) {
    const part = source[name];
    if (part != null) validateKeys(part.name ?? '', part.items ?? [], path.child(name), paths, errors);
  }
  for (const file of source.downwardAPI?.items ?? []) {
    validateDownwardFile(file, path.child('downwardAPI'), errors);
    if (file.path) paths.take(file.path);
  }
  if (source.serviceAccountToken != null) {
    validateToken(source.serviceAccountToken, path.child('serviceAccountToken'), volumePath, options, errors);
  }
  if (source.clusterTrustBundle != null) {
    validateTrustBundle(source.clusterTrustBundle, path.child('clusterTrustBundle'), errors);
    paths.take(source.clusterTrustBundle.path ?? '');
  }
  if (source.podCertificate != null) {
    validatePodCertificate(source.podCertificate, path.child('podCertificate'), paths, errors);
  }
}

function validateKeys(
  name: string,
  items: readonly KeyToPath[],
  path: FieldPath,
  paths: UsedPaths,
  errors: Errors,
): void {
  if (name === '') errors.required(path.child('name'));
  for (const [index, item] of items.entries()) {
    keyToPath(item, path.child('items').index(index), errors);
    if (item.path) paths.take(item.path, name);
  }
}

const tokenSecondsMin = 600;
const tokenSecondsMax = 2 ** 32;

function validateToken(
  token: ServiceAccountTokenProjection,
  path: FieldPath,
  volumePath: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  const seconds = token.expirationSeconds ?? 0;
  const secondsPath = path.child('expirationSeconds');
  if (seconds < tokenSecondsMin) {
    errors.invalid(secondsPath, seconds, 'may not specify a duration less than 10 minutes');
  }
  if (seconds > tokenSecondsMax) {
    errors.invalid(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds');
  }
  if (!token.path) errors.required(volumePath.child('path'));
  else if (!options.nonLocalTokenPaths) localNonReservedPath(token.path, volumePath.child('path'), errors);
}

function validateTrustBundle(bundle: ClusterTrustBundleProjection, path: FieldPath, errors: Errors): void {
  if (bundle.name != null && bundle.signerName != null) {
    errors.invalid(
      path,
      goStruct(ClusterTrustBundleProjection, bundle),
      'only one of name and signerName may be used',
    );
  } else if (bundle.name != null) {
    if (bundle.name === '') errors.required(path.child('name'), 'must be a valid object name');
    for (const message of trustBundleName(bundle.name)(bundle.name, false)) {
      errors.invalid(path.child('name'), bundle.name, `not a valid clustertrustbundlename: ${message}`);
    }
    if (bundle.labelSelector != null) {
      errors.invalid(
        path.child('labelSelector'),
        bundle.labelSelector,
        'labelSelector must be unset if name is specified',
      );
    }
  } else if (bundle.signerName != null) {
    if (bundle.signerName === '') errors.required(path.child('signerName'), 'must be a valid signer name');
    validateSignerName(bundle.signerName, path.child('signerName'), errors);
    errors.push(...validateLabelSelector(bundle.labelSelector, path.child('labelSelector')));
  } else {
    errors.required(path, 'either name or signerName must be specified');
  }
  if (!bundle.path) errors.required(path.child('path'));
  localNonReservedPath(bundle.path ?? '', path.child('path'), errors);
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const daySeconds = 86_400;

function validatePodCertificate(
  certificate: PodCertificateProjection,
  path: FieldPath,
  paths: UsedPaths,
  errors: Errors,
): void {
  validateSignerName(certificate.signerName ?? '', path.child('signerName'), errors);
  validateUserAnnotations(certificate.userAnnotations ?? {}, path.child('userAnnotations'), errors);
  if (!keyTypes.includes(certificate.keyType ?? '')) {
    errors.notSupported(path.child('keyType'), certificate.keyType ?? '', keyTypes);
  }
  const seconds = certificate.maxExpirationSeconds;
  if (seconds != null) {
    const secondsMax = isKubernetesSigner(certificate.signerName ?? '') ? daySeconds : 91 * daySeconds;
    const secondsPath = path.child('maxExpirationSeconds');
    if (seconds < 3600)
      errors.invalid(secondsPath, seconds, 'if provided, maxExpirationSeconds must be >= 3600');
    if (seconds > secondsMax) {
      errors.invalid(secondsPath, seconds, `if provided, maxExpirationSeconds must be <= ${secondsMax}`);
    }
  }
  let count = 0;
  for (const name of ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const) {
    const file = certificate[name];
    if (!file) continue;
    count++;
    localNonReservedPath(file, path.child(name), errors);
    paths.take(file);
  }
  if (count === 0) {
    errors.required(path, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
  }
}
