import { goQuote, parseCidr, validateLegacyCidr, type FieldError } from '@coxswain/apimachinery';
import { notPositiveMessage, pathOf, Errors } from '../../../meta/checks.ts';
import { goStruct } from '../../../meta/go-struct.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import {
  metadataPath,
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../../meta/object-meta-validation.ts';
import { validateNodeAnnotations } from './node-annotation-validation.ts';
import { validateTaints } from './node-taint-validation.ts';
import { NodeAddress, type NodeStatus } from '../node-status.ts';
import { validateResourceQuantity } from '../pod/resource-validation.ts';
import { Taint } from '../taint.ts';

interface Spec {
  podCIDRs?: string[];
  providerID?: string;
  externalID?: string;
  taints?: Taint[];
}

type NodeObject = StatusObject<Spec, NodeStatus>;

/** An updated node is first validated as a new one. */
export function validateNode(node: NodeObject, old: NodeObject | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(node.metadata, { namespaced: false, name: subdomainName }, errors);
  validateNodeAnnotations(node.metadata.annotations ?? {}, errors);
  validateTaints(node.spec?.taints ?? [], metadataPath.child('taints'), errors);
  validateAmounts(node, errors);
  const swap = node.status?.nodeInfo?.swap?.capacity;
  if (swap != null && swap <= 0) {
    errors.invalid(metadataPath.child('nodeSwapStatus', 'capacity'), swap, notPositiveMessage);
  }
  validateFeatures(node, errors);
  validatePodCidrs(node.spec?.podCIDRs ?? [], errors);
  if (old !== undefined) validateUpdate(node, old, errors);
  return errors;
}

export function validateNodeStatus(node: NodeObject, old: NodeObject): FieldError[] {
  const errors = new Errors();
  validateUpdate(node, old, errors);
  return errors;
}

function validateUpdate(node: NodeObject, old: NodeObject, errors: Errors): void {
  validateObjectMetaUpdate(node.metadata, old.metadata, errors);
  validateNodeAnnotations(node.metadata.annotations ?? {}, errors);
  validateAmounts(node, errors);
  validateFeatures(node, errors);
  const addresses = new Set<string>();
  for (const [index, address] of (node.status?.addresses ?? []).entries()) {
    const key = `${address.type} ${address.address}`;
    if (addresses.has(key)) {
      errors.duplicate(pathOf('status', 'addresses').index(index), goStruct(NodeAddress, address));
    }
    addresses.add(key);
  }
  const cidrs = node.spec?.podCIDRs ?? [];
  const before = old.spec?.podCIDRs ?? [];
  const changes =
    cidrs.length === before.length ? before.filter((cidr, index) => cidr !== cidrs[index]).length : 1;
  for (let count = 0; before.length > 0 && count < changes; count++) {
    errors.forbidden(
      pathOf('spec', 'podCIDRs'),
      'node updates may not change podCIDR except from "" to valid',
    );
  }
  if (old.spec?.providerID && old.spec.providerID !== node.spec?.providerID) {
    errors.forbidden(
      pathOf('spec', 'providerID'),
      'node updates may not change providerID except from "" to valid',
    );
  }
  validateTaints(node.spec?.taints ?? [], metadataPath.child('taints'), errors);
  if ((node.spec?.externalID ?? '') !== (old.spec?.externalID ?? '')) {
    errors.forbidden(pathOf('spec', 'externalID'), 'may not be updated');
  }
}

function validateAmounts({ status }: NodeObject, errors: Errors): void {
  for (const list of ['capacity', 'allocatable'] as const) {
    for (const [name, amount] of Object.entries(status?.[list] ?? {}).sort()) {
      validateResourceQuantity(name, amount, pathOf('status', list, name), errors);
    }
  }
}

const featureLengthMax = 253;
const featurePattern = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;

function validateFeatures({ status }: NodeObject, errors: Errors): void {
  const features = status?.declaredFeatures ?? [];
  for (const [index, feature] of features.entries()) {
    const path = pathOf('status', 'declaredFeatures');
    const problem = featureProblem(feature);
    if (problem !== undefined) errors.invalid(path.index(index), feature, problem);
    const next = features[index + 1];
    if (next === undefined) continue;
    if (next === feature) errors.duplicate(path.index(index + 1), next);
    else if (feature > next) {
      errors.invalid(path.index(index + 1), next, 'list must be sorted alphabetically');
    }
  }
}

function featureProblem(name: string): string | undefined {
  const start = `invalid feature name ${goQuote(name)}: must`;
  if (name.length > featureLengthMax) return `${start} be no more than ${featureLengthMax} characters`;
  return featurePattern.test(name)
    ? undefined
    : `${start} start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`;
}

function validatePodCidrs(cidrs: readonly string[], errors: Errors): void {
  const path = pathOf('spec', 'podCIDRs');
  for (const [index, cidr] of cidrs.entries()) errors.push(...validateLegacyCidr(path.index(index), cidr));
  if (cidrs.length < 2) return;
  const versions = cidrs.map((cidr) => parseCidr(cidr)?.address.version);
  if (cidrs.length > 2 || versions[0] === versions[1]) {
    errors.invalid(path, cidrs, 'may specify no more than one CIDR for each IP family');
  }
}
