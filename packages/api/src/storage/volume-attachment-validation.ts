import {
  byteLength,
  checkDnsSubdomain,
  rangeMessage,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { goEqual } from '@coxswain/schema';
import { validateVolumeSpec } from '../core/v1/volume/persistent-volume-validation.ts';
import { check, immutableMessage, int32Max, pathOf, Errors } from '../meta/checks.ts';
import { goStruct } from '../meta/go-struct.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { subdomainName, validateObjectMeta } from '../meta/object-meta-validation.ts';
import { validateDriverName } from './driver-validation.ts';
import {
  VolumeAttachmentSpec,
  type VolumeAttachmentSource,
  type VolumeAttachmentStatus,
} from './v1/volume-attachment-spec.ts';

type Attachment = StatusObject<VolumeAttachmentSpec, VolumeAttachmentStatus>;

const metadataSizeMax = 256 * 1024;
const messageLengthMax = 1024;
const specPath = pathOf('spec');

export function validateAttachment(
  { metadata, spec, status }: Attachment,
  old: Attachment | undefined,
): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, { namespaced: false, name: subdomainName }, errors);
  validateDriverName(spec.attacher ?? '', specPath.child('attacher'), errors);
  validateSource(spec.source ?? {}, specPath.child('source'), errors);
  check(spec.nodeName ?? '', specPath.child('nodeName'), checkDnsSubdomain, errors);
  validateStatus(status ?? {}, errors);
  const volume = spec.source?.persistentVolumeName;
  if (volume != null) check(volume, pathOf('spec.source.persistentVolumeName'), checkDnsSubdomain, errors);
  if (old !== undefined && !goEqual(VolumeAttachmentSpec, spec, old.spec, 'semantic')) {
    errors.invalid(specPath, goStruct(VolumeAttachmentSpec, spec), immutableMessage);
  }
  return errors;
}

function validateSource(
  { inlineVolumeSpec: inline, persistentVolumeName: name }: VolumeAttachmentSource,
  path: FieldPath,
  errors: Errors,
): void {
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline == null && name == null) errors.required(path, detail);
  else if (inline != null && name != null) errors.forbidden(path, detail);
  else if (name === '') {
    const empty = 'must specify non empty persistentVolumeName';
    errors.required(path.child('persistentVolumeName'), empty);
  } else if (inline != null) {
    validateVolumeSpec(inline, '', true, path.child('inlineVolumeSpec'), errors);
  }
}

function validateStatus(status: VolumeAttachmentStatus, errors: Errors): void {
  const path = pathOf('status');
  let size = 0;
  for (const [key, value] of Object.entries(status.attachmentMetadata ?? {})) {
    size += byteLength(key) + byteLength(value);
  }
  if (size > metadataSizeMax) errors.tooLong(path.child('attachmentMetadata'), metadataSizeMax);
  for (const name of ['attachError', 'detachError'] as const) {
    const error = status[name];
    if (error == null) continue;
    if ((error.message ?? '').length > messageLengthMax) {
      errors.tooLong(path.child(name, 'message'), metadataSizeMax);
    }
    if (error.errorCode != null && error.errorCode < 0) {
      const detail = rangeMessage(0, int32Max);
      errors.invalid(path.child(name, 'errorCode'), error.errorCode, detail);
    }
  }
}
