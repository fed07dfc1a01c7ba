/** Validates the volumes of pods. */

import { checkDnsLabel, checkDnsSubdomain, goQuote, type FieldPath } from '@coxswain/apimachinery';
import type { ObjectMeta } from '@coxswain/schema';
import { check, oneOfSupported, requireMember, type Errors } from '../../../meta/checks.ts';
import { validateClaimTemplate } from './persistent-volume-claim-spec-validation.ts';
import { validateDownwardFile } from '../pod/downward-api-validation.ts';
import { fileMode } from '../pod/path-validation.ts';
import type { PodOptions } from '../pod/pod-options.ts';
import { validateProjected } from './projected-volume-validation.ts';
import type * as sources from '../volume-sources.ts';
import * as shared from './volume-source-validation.ts';
import type { Volume } from '../volume.ts';

/** Returns the valid volumes by name: containers may use only these. `meta` is a pod's; templates have none. */
export function validateVolumes(
  volumes: readonly Volume[],
  meta: ObjectMeta | undefined,
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): ReadonlyMap<string, Volume> {
  const valid = new Map<string, Volume>();
  const createdClaims = claimsCreatedFor(volumes, meta);
  for (let index = 0; index < volumes.length; index++) {
    const volume = volumes[index]!;
    const volumePath = path.index(index);
    const errorsBefore = errors.length;
    validateSources(volume, volumePath, meta, options, errors);
    if (!volume.name) errors.required(volumePath.child('name'));
    else check(volume.name, volumePath.child('name'), checkDnsLabel, errors);
    if (valid.has(volume.name)) errors.duplicate(volumePath.child('name'), volume.name);
    if (errors.length === errorsBefore) valid.set(volume.name, volume);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && createdClaims.has(claim)) {
      errors.invalid(
        volumePath.child('persistentVolumeClaim', 'claimName'),
        claim,
        'must not reference a PVC that gets created for an ephemeral volume',
      );
    }
  }
  return valid;
}

const noClaims: ReadonlySet<string> = new Set();

function claimsCreatedFor(volumes: readonly Volume[], meta: ObjectMeta | undefined): ReadonlySet<string> {
  const ephemeral = meta?.name ? volumes.filter((volume) => volume.ephemeral != null) : [];
  return ephemeral.length === 0 ? noClaims : new Set(ephemeral.map(({ name }) => `${meta!.name}-${name}`));
}

type Check<S> = (source: S, path: FieldPath, errors: Errors, options: PodOptions) => void;

interface SourceRule {
  readonly member: keyof Volume;
  readonly validate: Check<never>;
  /** The path of errors of the source itself, and that of a second source's error: two are misspelled. */
  readonly errorMember?: string;
  readonly secondMember?: string;
}

const rule = <M extends keyof Volume>(
  member: M,
  validate: Check<NonNullable<Volume[M]>>,
  spelling: Pick<SourceRule, 'errorMember' | 'secondMember'> = {},
): SourceRule => ({ member, validate: validate as Check<never>, ...spelling });

const secret: Check<sources.SecretVolumeSource> = (source, path, errors) => {
  requireMember(source.secretName, path, 'secretName', errors);
  fileMode(source.defaultMode, path, 'defaultMode', errors);
  for (const [index, item] of (source.items ?? []).entries()) {
    shared.keyToPath(item, path.child('items').index(index), errors);
  }
};

const configMap: Check<sources.ConfigMapVolumeSource> = (source, path, errors) => {
  requireMember(source.name, path, 'name', errors);
  fileMode(source.defaultMode, path, 'defaultMode', errors);
  for (const [index, item] of (source.items ?? []).entries()) {
    shared.keyToPath(item, path.child('items').index(index), errors);
  }
};

const downwardAPI: Check<sources.DownwardAPIVolumeSource> = (source, path, errors) => {
  fileMode(source.defaultMode, path, 'defaultMode', errors);
  for (const file of source.items ?? []) validateDownwardFile(file, path, errors);
};

const csi: Check<sources.CSIVolumeSource> = (source, path, errors) => {
  shared.csiDriverName(source.driver, path.child('driver'), errors);
  const secretName = source.nodePublishSecretRef?.name;
  if (source.nodePublishSecretRef == null) return;
  if (!secretName) errors.required(path.child('nodePublishSecretRef', 'name'));
  else check(secretName, path.child('name'), checkDnsSubdomain, errors);
};

const ephemeral: Check<sources.EphemeralVolumeSource> = (source, path, errors) => {
  if (source.volumeClaimTemplate == null) errors.required(path.child('volumeClaimTemplate'));
  else validateClaimTemplate(source.volumeClaimTemplate, path.child('volumeClaimTemplate'), errors);
};

const image: Check<sources.ImageVolumeSource> = (source, path, errors, options) => {
  if (options.isPod && !source.reference) errors.required(path.child('reference'));
  validatePullPolicy(source.pullPolicy, path, 'pullPolicy', errors);
};

export function validatePullPolicy(
  policy: string | undefined,
  path: FieldPath,
  name: string,
  errors: Errors,
): void {
  if (!policy) errors.required(path.child(name));
  else oneOfSupported(policy, path, name, pullPolicies, errors);
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

const emptyDir: Check<sources.EmptyDirVolumeSource> = (source, path, errors) => {
  if (source.sizeLimit?.startsWith('-')) {
    errors.forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity');
  }
};

/** In upstream's order, which determines the first source. */
const rules: readonly SourceRule[] = [
  rule('emptyDir', emptyDir),
  rule('hostPath', shared.hostPath),
  rule('gitRepo', shared.gitRepo),
  rule('gcePersistentDisk', shared.gcePersistentDisk, { errorMember: 'persistentDisk' }),
  rule('awsElasticBlockStore', shared.awsElasticBlockStore),
  rule('secret', secret),
  rule('nfs', shared.nfs),
  rule('iscsi', shared.iscsi),
  rule('glusterfs', shared.glusterfs),
  rule('flocker', shared.flocker),
  rule('persistentVolumeClaim', (claim, path, errors) =>
    requireMember(claim.claimName, path, 'claimName', errors),
  ),
  rule('rbd', shared.rbd),
  rule('cinder', shared.cinder),
  rule('cephfs', shared.cephfs, { secondMember: 'cephFS' }),
  rule('quobyte', shared.quobyte),
  rule('downwardAPI', downwardAPI, { secondMember: 'downwarAPI' }),
  rule('fc', shared.fc),
  rule('flexVolume', shared.flexVolume),
  rule('configMap', configMap),
  rule('azureFile', shared.azureFile),
  rule('vsphereVolume', shared.vsphereVolume),
  rule('photonPersistentDisk', shared.photonPersistentDisk),
  rule('portworxVolume', shared.portworxVolume),
  rule('azureDisk', shared.azureDisk),
  rule('storageos', shared.storageos),
  rule('projected', (source, path, errors, options) => validateProjected(source, path, options, errors)),
  rule('scaleIO', shared.scaleIO),
  rule('csi', csi),
  rule('ephemeral', ephemeral),
  rule('image', image),
];

function validateSources(
  volume: Volume,
  path: FieldPath,
  meta: ObjectMeta | undefined,
  options: PodOptions,
  errors: Errors,
): void {
  let count = 0;
  for (const { member, validate, errorMember = member, secondMember = member } of rules) {
    const source = volume[member];
    if (source == null) continue;
    if (count++ > 0) shared.onlyOneType(path.child(secondMember), errors);
    else {
      validate(source as never, path.child(errorMember), errors, options);
      if (member === 'ephemeral') validateClaimName(volume.name, meta, path, errors);
    }
    if (member === 'iscsi') validateIscsiName(volume, path, errors);
  }
  if (count === 0) errors.required(path, 'must specify a volume type');
}

function validateIscsiName({ name, iscsi: target }: Volume, path: FieldPath, errors: Errors): void {
  if (target?.initiatorName != null && `${name}:${target.targetPortal}`.length > 64) {
    errors.invalid(path.child('name'), name, shared.iscsiTooLong);
  }
}

function validateClaimName(
  name: string,
  meta: ObjectMeta | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (!meta?.name || !name) return;
  const claimName = `${meta.name}-${name}`;
  for (const message of checkDnsSubdomain(claimName)) {
    errors.invalid(path.child('name'), name, `PVC name ${goQuote(claimName)}: ${message}`);
  }
}
