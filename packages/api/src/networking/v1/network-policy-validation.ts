import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import {
  checkPortName,
  checkPortNumber,
  networkContains,
  parseCidr,
  validateLabelSelector,
  validateLegacyCidr,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { protocols } from '../../core/v1/pod/container-validation.ts';
import { pathOf, Errors } from '../../meta/checks.ts';
import type { SpecObject } from '../../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../../meta/object-meta-validation.ts';
import type {
  IPBlock,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from './network-policy-spec.ts';

type Policy = SpecObject<NetworkPolicySpec>;

interface Tolerance {
  readonly allowInvalidValues: boolean;
  /** The networks of the stored object. */
  readonly cidrs: ReadonlySet<string>;
}

const policyTypes = ['Ingress', 'Egress'];

export function validateNetworkPolicy({ metadata, spec }: Policy, old: Policy | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(metadata, old?.metadata, { namespaced: true, name: subdomainName }, errors);
  const path = pathOf('spec');
  const selectorPath = path.child('podSelector');
  const tolerance: Tolerance = {
    allowInvalidValues:
      old !== undefined && validateLabelSelector(old.spec.podSelector, selectorPath).length > 0,
    cidrs: new Set(old && storedCidrs(old.spec)),
  };
  appendAll(errors, validateLabelSelector(spec.podSelector, selectorPath, tolerance));
  for (const [index, rule] of (spec.ingress ?? []).entries()) {
    const at = path.child('ingress').index(index);
    validateRule(rule.ports ?? [], rule.from ?? [], 'from', tolerance, at, errors);
  }
  for (const [index, rule] of (spec.egress ?? []).entries()) {
    const at = path.child('egress').index(index);
    validateRule(rule.ports ?? [], rule.to ?? [], 'to', tolerance, at, errors);
  }
  const types = spec.policyTypes ?? [];
  if (types.length > policyTypes.length) {
    errors.invalid(path.child('policyTypes'), types, 'may not specify more than two policyTypes');
    return errors;
  }
  for (const [index, type] of types.entries()) {
    if (policyTypes.includes(type)) continue;
    errors.notSupported(path.child('policyTypes').index(index), type, policyTypes);
  }
  return errors;
}

function storedCidrs({ ingress = [], egress = [] }: NetworkPolicySpec): string[] {
  const peers = [...ingress.flatMap((rule) => rule.from ?? []), ...egress.flatMap((rule) => rule.to ?? [])];
  return peers.flatMap(({ ipBlock }) => (ipBlock == null ? [] : [ipBlock.cidr, ...(ipBlock.except ?? [])]));
}

function validateRule(
  ports: readonly NetworkPolicyPort[],
  peers: readonly NetworkPolicyPeer[],
  peersName: string,
  tolerance: Tolerance,
  path: FieldPath,
  errors: Errors,
): void {
  for (const [index, port] of ports.entries()) validatePort(port, path.child('ports').index(index), errors);
  for (const [index, peer] of peers.entries()) {
    validatePeer(peer, tolerance, path.child(peersName).index(index), errors);
  }
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: FieldPath, errors: Errors): void {
  if (protocol != null && !protocols.includes(protocol)) {
    errors.notSupported(path.child('protocol'), protocol, ['TCP', 'UDP', 'SCTP']);
  }
  const at = path.child('endPort');
  if (port == null) {
    if (endPort == null) return;
    errors.invalid(at, endPort, 'may not be specified when `port` is not specified');
  } else if (typeof port === 'number') {
    for (const message of checkPortNumber(port)) errors.invalid(path.child('port'), port, message);
    if (endPort == null) return;
    if (endPort < port) errors.invalid(at, port, 'must be greater than or equal to `port`');
    for (const message of checkPortNumber(endPort)) errors.invalid(at, endPort, message);
  } else {
    if (endPort != null) {
      errors.invalid(at, endPort, 'may not be specified when `port` is non-numeric');
    }
    for (const message of checkPortName(port)) errors.invalid(path.child('port'), port, message);
  }
}

function validatePeer(peer: NetworkPolicyPeer, tolerance: Tolerance, path: FieldPath, errors: Errors): void {
  let selectors = 0;
  for (const name of ['podSelector', 'namespaceSelector'] as const) {
    if (peer[name] == null) continue;
    selectors++;
    appendAll(errors, validateLabelSelector(peer[name], path.child(name), tolerance));
  }
  if (peer.ipBlock != null) validateBlock(peer.ipBlock, tolerance, path.child('ipBlock'), errors);
  if (selectors === 0 && peer.ipBlock == null) errors.required(path, 'must specify a peer');
  else if (selectors > 0 && peer.ipBlock != null) {
    errors.forbidden(path, 'may not specify both ipBlock and another peer');
  }
}

function validateBlock(
  { cidr, except }: IPBlock,
  { cidrs }: Tolerance,
  path: FieldPath,
  errors: Errors,
): void {
  if (!cidr) {
    errors.required(path.child('cidr'));
    return;
  }
  appendAll(errors, validateLegacyCidr(path.child('cidr'), cidr, cidrs));
  const network = parseCidr(cidr);
  if (network === undefined) return;
  for (const [index, text] of (except ?? []).entries()) {
    const at = path.child('except').index(index);
    appendAll(errors, validateLegacyCidr(at, text, cidrs));
    const hole = parseCidr(text);
    if (hole === undefined) continue;
    if (!networkContains(network, hole.address) || network.prefixLength >= hole.prefixLength) {
      errors.invalid(at, text, 'must be a strict subset of `cidr`');
    }
  }
}
