import {
  checkDnsLabel,
  checkDnsSubdomain,
  goJson,
  PrintedValue,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { goEqual, wasSentEmpty } from '@coxswain/schema';
import {
  check,
  immutableMessage,
  inKeyOrder,
  pathOf,
  positiveQuantity,
  requireMember,
  Errors,
} from '../../../meta/checks.ts';
import { goStruct, goStructDiff } from '../../../meta/go-struct.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../../meta/object-meta-validation.ts';
import { noBacksteps } from '../pod/path-validation.ts';
import { validateAmount } from './persistent-volume-claim-validation.ts';
import { validateAccessModes, volumeModes } from './persistent-volume-claim-spec-validation.ts';
import { VolumeNodeAffinity } from '../volume-node-affinity.ts';
import {
  PersistentVolumeSource,
  type CSIPersistentVolumeSource,
  type SecretReference,
} from '../volume-sources.ts';
import type { PersistentVolumeStatus } from '../persistent-volume-status.ts';
import type { PersistentVolumeSpec } from '../persistent-volume-spec.ts';
import { validateNodeSelector } from '../pod/scheduling-validation.ts';
import * as shared from './volume-source-validation.ts';

type VolumeObject = StatusObject<PersistentVolumeSpec, PersistentVolumeStatus>;

const specPath = pathOf('spec');

export function validateVolume(volume: VolumeObject, old: VolumeObject | undefined): FieldError[] {
  const errors = wholeErrors(volume);
  validateMountOptions(volume, errors);
  if (old === undefined) return errors;
  // An updated volume is validated as a new one twice, so errors occur twice.
  errors.push(...wholeErrors(volume));
  validateUpdate(volume.spec, old.spec, errors);
  return errors;
}

const mountOptionsAnnotation = 'volume.beta.kubernetes.io/mount-options';
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

/** The options of the deprecated annotation; those of the spec are valid for every volume. */
function validateMountOptions({ metadata, spec }: VolumeObject, errors: Errors): void {
  if (metadata.annotations?.[mountOptionsAnnotation] === undefined) return;
  if (mountable.some((name) => spec[name] != null)) return;
  const path = pathOf('metadata', 'annotations', mountOptionsAnnotation);
  errors.forbidden(path, 'may not specify mount options for this volume type');
}

function wholeErrors({ metadata, spec }: VolumeObject): Errors {
  const errors = new Errors();
  validateObjectMeta(metadata, { namespaced: false, name: subdomainName }, errors);
  validateVolumeSpec(spec, metadata.name ?? '', false, specPath, errors);
  return errors;
}

export function validateVolumeStatus(volume: VolumeObject, old: VolumeObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(volume.metadata, old.metadata, errors);
  return errors;
}

const reclaimPolicies: readonly string[] = ['Delete', 'Recycle', 'Retain'];
const inlineContext = 'in the context of inline volumes';

/** `isInline`: inside a VolumeAttachment. */
export function validateVolumeSpec(
  spec: PersistentVolumeSpec,
  name: string,
  isInline: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const refuse = (member: string): void => {
    errors.forbidden(path.child(member), `may not be specified ${inlineContext}`);
  };
  if (isInline) {
    if (spec.claimRef != null) refuse('claimRef');
    if (Object.keys(spec.capacity ?? {}).length > 0) refuse('capacity');
    if (spec.csi == null) errors.required(path.child('csi'), `has to be specified ${inlineContext}`);
  }
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.required(path.child('accessModes'));
  validateAccessModes(modes, path, errors);
  if (!isInline) validateCapacity(spec, path.child('capacity'), errors);
  validateReclaimPolicy(spec, isInline, path, errors);
  if (spec.nodeAffinity != null) {
    if (isInline) refuse('nodeAffinity');
    else if (spec.nodeAffinity.required == null) {
      errors.required(path.child('nodeAffinity', 'required'), 'must specify required node constraints');
    } else {
      validateNodeSelector(spec.nodeAffinity.required, false, path.child('nodeAffinity', 'required'), errors);
    }
  }
  validateSources(spec, name, path, errors);
  validateClasses(spec, isInline, path, errors);
}

function validateCapacity(spec: PersistentVolumeSpec, path: FieldPath, errors: Errors): void {
  const capacity = spec.capacity ?? {};
  const names = Object.keys(capacity).sort();
  if (names.length === 0) errors.required(path);
  if (capacity['storage'] === undefined || names.length > 1) {
    const isAbsent = names.length === 0 && !wasSentEmpty(spec, 'capacity');
    const printed = isAbsent ? null : inKeyOrder(capacity);
    errors.notSupported(path, new PrintedValue(goJson(printed)), ['storage']);
  }
  for (const name of names) {
    validateAmount(capacity[name]!, path.key(name), errors);
    positiveQuantity(capacity[name]!, path.key(name), errors);
  }
}

function validateReclaimPolicy(
  spec: PersistentVolumeSpec,
  isInline: boolean,
  parent: FieldPath,
  errors: Errors,
): void {
  const policy = spec.persistentVolumeReclaimPolicy;
  if (!policy) return;
  const path = parent.child('persistentVolumeReclaimPolicy');
  if (isInline) {
    if (policy !== 'Retain') errors.forbidden(path, `may only be Retain ${inlineContext}`);
  } else if (!reclaimPolicies.includes(policy)) {
    errors.notSupported(path, policy, reclaimPolicies);
  }
}

type Rule = readonly [
  member: keyof PersistentVolumeSpec,
  validate: shared.SourceCheck<never>,
  errorMember?: string,
  secondMember?: string,
];

const namespacedSecret =
  (validate: shared.SourceCheck<never>): shared.SourceCheck<{ secretRef?: { namespace?: string } }> =>
  (source, path, errors) => {
    validate(source as never, path, errors);
    if (source.secretRef != null && !source.secretRef.namespace) {
      errors.required(path.child('secretRef', 'namespace'));
    }
  };

const csi: shared.SourceCheck<CSIPersistentVolumeSource> = (source, path, errors) => {
  shared.csiDriverName(source.driver, path.child('driver'), errors);
  requireMember(source.volumeHandle, path, 'volumeHandle', errors);
  for (const name of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const) {
    if (source[name] != null) validateSecretReference(source[name], path.child(name), errors);
  }
};

function validateSecretReference(
  { name, namespace }: SecretReference,
  path: FieldPath,
  errors: Errors,
): void {
  if (!name) errors.required(path.child('name'));
  else check(name, path.child('name'), checkDnsSubdomain, errors);
  if (!namespace) errors.required(path.child('namespace'));
  else check(namespace, path.child('namespace'), checkDnsLabel, errors);
}

const local: shared.SourceCheck<{ path: string }> = (source, path, errors) => {
  if (!source.path) errors.required(path.child('path'));
  else noBacksteps(source.path, path.child('path'), errors);
};

/** In upstream's order. */
const rules: readonly Rule[] = [
  ['hostPath', shared.hostPath as shared.SourceCheck<never>],
  ['gcePersistentDisk', shared.gcePersistentDisk as shared.SourceCheck<never>, 'persistentDisk'],
  ['awsElasticBlockStore', shared.awsElasticBlockStore as shared.SourceCheck<never>],
  ['glusterfs', shared.glusterfs as shared.SourceCheck<never>],
  ['flocker', shared.flocker as shared.SourceCheck<never>],
  ['nfs', shared.nfs as shared.SourceCheck<never>],
  ['rbd', shared.rbd as shared.SourceCheck<never>],
  ['quobyte', shared.quobyte as shared.SourceCheck<never>],
  ['cephfs', shared.cephfs as shared.SourceCheck<never>, 'cephfs', 'cephFS'],
  ['iscsi', shared.iscsi as shared.SourceCheck<never>],
  ['cinder', namespacedSecret(shared.cinder as shared.SourceCheck<never>) as shared.SourceCheck<never>],
  ['fc', shared.fc as shared.SourceCheck<never>],
  ['flexVolume', shared.flexVolume as shared.SourceCheck<never>],
  ['azureFile', shared.azureFile as shared.SourceCheck<never>],
  ['vsphereVolume', shared.vsphereVolume as shared.SourceCheck<never>],
  ['photonPersistentDisk', shared.photonPersistentDisk as shared.SourceCheck<never>],
  ['portworxVolume', shared.portworxVolume as shared.SourceCheck<never>],
  ['azureDisk', shared.azureDisk as shared.SourceCheck<never>],
  ['scaleIO', shared.scaleIO as shared.SourceCheck<never>],
  ['local', local as shared.SourceCheck<never>],
  ['storageos', namespacedSecret(shared.storageos as shared.SourceCheck<never>) as shared.SourceCheck<never>],
  ['csi', csi as shared.SourceCheck<never>],
];

function validateSources(spec: PersistentVolumeSpec, name: string, path: FieldPath, errors: Errors): void {
  let count = 0;
  for (const [member, validate, errorMember = member, secondMember = member] of rules) {
    const source = spec[member];
    if (source == null) continue;
    if (count++ > 0 && member !== 'flexVolume') shared.onlyOneType(path.child(secondMember), errors);
    else if (member === 'iscsi')
      shared.iscsiOfPersistentVolume(spec.iscsi!, name, path.child('iscsi'), errors);
    else validate(source as never, path.child(errorMember), errors);
    if (member === 'local' && count === 1 && spec.nodeAffinity == null) {
      errors.required(path.child('nodeAffinity'), 'Local volume requires node affinity');
    }
  }
  if (count === 0) errors.required(path, 'must specify a volume type');
  if (spec.persistentVolumeReclaimPolicy === 'Recycle' && isRoot(spec.hostPath?.path)) {
    errors.forbidden(
      path.child('persistentVolumeReclaimPolicy'),
      "may not be 'recycle' for a hostPath mount of '/'",
    );
  }
}

const isRoot = (path: string | undefined): boolean =>
  path !== undefined &&
  path.startsWith('/') &&
  path.split('/').every((part) => ['', '.', '..'].includes(part));

function validateClasses(
  spec: PersistentVolumeSpec,
  isInline: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  if (spec.storageClassName) {
    if (isInline) {
      errors.forbidden(path.child('storageClassName'), `may not be specified ${inlineContext}`);
    } else check(spec.storageClassName, path.child('storageClassName'), checkDnsSubdomain, errors);
  }
  const mode = spec.volumeMode;
  if (mode != null && isInline && mode !== 'Filesystem') {
    errors.forbidden(
      path.child('volumeMode'),
      `may not specify volumeMode other than Filesystem ${inlineContext}`,
    );
  } else if (mode != null && !isInline && !volumeModes.includes(mode)) {
    errors.notSupported(path.child('volumeMode'), mode, volumeModes);
  }
  const attributes = spec.volumeAttributesClassName;
  if (attributes == null || isInline) return;
  const attributesPath = path.child('volumeAttributesClassName');
  if (attributes === '') errors.required(attributesPath, 'an empty string is disallowed');
  else check(attributes, attributesPath, checkDnsSubdomain, errors);
  if (spec.csi == null) {
    errors.required(path.child('csi'), 'has to be specified when using volumeAttributesClassName');
  }
}

/** The volume's source is immutable. */
function validateUpdate(spec: PersistentVolumeSpec, old: PersistentVolumeSpec, errors: Errors): void {
  const now = sourcesOf(spec);
  const before = sourcesOf(old);
  if (now.csi != null && old.csi != null && old.csi.controllerExpandSecretRef == null) {
    now.csi = { ...now.csi };
    delete now.csi.controllerExpandSecretRef;
  }
  if (!goEqual(PersistentVolumeSource, now, before, 'semantic')) {
    errors.forbidden(
      specPath.child('persistentvolumesource'),
      `spec.persistentvolumesource is immutable after creation\n${goStructDiff(PersistentVolumeSource, before, now)}`,
    );
  }
  if ((spec.volumeMode ?? null) !== (old.volumeMode ?? null)) {
    errors.invalid('volumeMode', spec.volumeMode ?? null, immutableMessage);
  }
  if (
    old.nodeAffinity != null &&
    !goEqual(VolumeNodeAffinity, withNewLabels(spec), withNewLabels(old), 'semantic')
  ) {
    errors.invalid(
      'nodeAffinity',
      spec.nodeAffinity == null ? null : goStruct(VolumeNodeAffinity, spec.nodeAffinity),
      `${immutableMessage}, except for updating from beta label to GA`,
    );
  }
  if (old.volumeAttributesClassName != null && spec.volumeAttributesClassName == null) {
    errors.forbidden(
      specPath.child('volumeAttributesClassName'),
      'update from non-nil value to nil is forbidden',
    );
  }
}

type Sources = Pick<PersistentVolumeSpec, keyof PersistentVolumeSource & keyof PersistentVolumeSpec>;

const sourcesOf = (spec: PersistentVolumeSpec): Sources =>
  Object.fromEntries(
    Object.keys(PersistentVolumeSource.fields).flatMap((member) => {
      const source = spec[member as keyof PersistentVolumeSpec];
      return source == null ? [] : [[member, source]];
    }),
  ) as Sources;

/** Beta labels of zones, regions, instance types, operating systems and architectures count as the stable ones. */
const withNewLabels = ({ nodeAffinity }: PersistentVolumeSpec): unknown =>
  JSON.parse(
    JSON.stringify(nodeAffinity ?? null)
      .replaceAll('"failure-domain.beta.kubernetes.io/', '"topology.kubernetes.io/')
      .replaceAll('"beta.kubernetes.io/instance-type"', '"node.kubernetes.io/instance-type"')
      .replaceAll('"beta.kubernetes.io/', '"kubernetes.io/'),
  );
