import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  parseIp,
  semanticDeepEqual,
  validateIp,
  validateLabels,
  validateLegacyIp,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { protocols } from '../../core/v1/pod/container-validation.ts';
import { validateReachable } from '../../core/v1/service/endpoints-validation.ts';
import { check, immutable, pathOf, Errors } from '../../meta/checks.ts';
import type { MetaObject } from '../../meta/kind-object.ts';
import { subdomainName, validateObjectMeta } from '../../meta/object-meta-validation.ts';
import type { Endpoint, EndpointHints, EndpointPort } from './endpoint.ts';

type Slice = MetaObject & {
  addressType?: string;
  endpoints?: Endpoint[] | null;
  ports?: EndpointPort[] | null;
};

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const topologyLabelsMax = 16;
const addressesMax = 100;
const portsMax = 20_000;
const endpointsMax = 1000;
const hintsMax = 8;

export function validateSlice(slice: Slice, old: Slice | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(slice.metadata, { namespaced: true, name: subdomainName }, errors);
  const { addressType = '' } = slice;
  if (addressType === '') errors.required('addressType');
  else if (!addressTypes.includes(addressType)) {
    errors.notSupported('addressType', addressType, addressTypes);
  }
  validatePorts(slice.ports ?? [], pathOf('ports'), errors);
  const ofEndpoints = new Errors();
  validateEndpoints(slice.endpoints ?? [], addressType, pathOf('endpoints'), ofEndpoints);
  if (ofEndpoints.length > 0 && !(old !== undefined && semanticDeepEqual(old.endpoints, slice.endpoints))) {
    appendAll(errors, ofEndpoints);
  }
  if (old !== undefined) immutable(addressType, old.addressType, 'addressType', errors);
  return errors;
}

function validateEndpoints(
  endpoints: readonly Endpoint[],
  addressType: string,
  path: FieldPath,
  errors: Errors,
): void {
  if (endpoints.length > endpointsMax) {
    errors.tooMany(path, endpoints.length, endpointsMax);
    return;
  }
  for (const [index, endpoint] of endpoints.entries()) {
    const at = path.index(index);
    validateAddresses(endpoint.addresses ?? [], addressType, at.child('addresses'), errors);
    if (endpoint.nodeName != null) check(endpoint.nodeName, at.child('nodeName'), checkDnsSubdomain, errors);
    const topology = endpoint.deprecatedTopology ?? {};
    const topologyPath = at.child('deprecatedTopology');
    const labels = Object.keys(topology).length;
    if (labels > topologyLabelsMax) errors.tooMany(topologyPath, labels, topologyLabelsMax);
    appendAll(errors, validateLabels(topology, topologyPath));
    if (endpoint.hostname != null) check(endpoint.hostname, at.child('hostname'), checkDnsLabel, errors);
    if (endpoint.hints != null) validateHints(endpoint.hints, at.child('hints'), errors);
  }
}

function validateAddresses(
  addresses: readonly string[],
  addressType: string,
  path: FieldPath,
  errors: Errors,
): void {
  if (addresses.length === 0) errors.required(path, 'must contain at least 1 address');
  else if (addresses.length > addressesMax) errors.tooMany(path, addresses.length, addressesMax);
  for (const [index, address] of addresses.entries()) {
    const at = path.index(index);
    if (addressType === 'FQDN') validateDomainName(address, at, errors);
    if (addressType !== 'IPv4' && addressType !== 'IPv6') continue;
    const wrong = addressType === 'IPv4' ? validateLegacyIp(at, address) : validateIp(at, address);
    appendAll(errors, wrong);
    if (wrong.length > 0) continue;
    if (parseIp(address)?.version !== (addressType === 'IPv4' ? 4 : 6)) {
      errors.invalid(path, address, `must be an ${addressType} address`);
    }
    validateReachable(address, at, errors);
  }
}

function validateDomainName(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') {
    errors.required(path);
    return;
  }
  const domain = name.endsWith('.') ? name.slice(0, -1) : name;
  const messages = checkDnsSubdomain(domain);
  const labels = domain.split('.');
  if (messages.length > 0) errors.invalid(path, domain, messages.join(','));
  else if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots';
    errors.invalid(path, domain, detail);
  } else {
    const wrong = labels.find((label) => checkDnsLabel(label).length > 0);
    if (wrong !== undefined) errors.invalid(path, wrong, checkDnsLabel(wrong).join(','));
  }
}

function validatePorts(ports: readonly EndpointPort[], path: FieldPath, errors: Errors): void {
  if (ports.length > portsMax) {
    errors.tooMany(path, ports.length, portsMax);
    return;
  }
  const names = new Set<string>();
  for (const [index, { name: given, protocol, appProtocol }] of ports.entries()) {
    const at = path.index(index);
    const name = given ?? '';
    if (name !== '') check(name, at.child('name'), checkDnsLabel, errors);
    if (names.has(name)) errors.duplicate(at.child('name'), name);
    names.add(name);
    if (protocol == null) errors.required(at.child('protocol'));
    else if (!protocols.includes(protocol)) {
      errors.notSupported(at.child('protocol'), protocol, [...protocols].sort());
    }
    if (appProtocol != null) check(appProtocol, at.child('appProtocol'), checkQualifiedName, errors);
  }
}

function validateHints({ forZones, forNodes }: EndpointHints, path: FieldPath, errors: Errors): void {
  const isComplete = validateHintNames(forZones ?? [], path.child('forZones'), checkLabelValue, errors);
  if (isComplete) validateHintNames(forNodes ?? [], path.child('forNodes'), checkDnsSubdomain, errors);
}

function validateHintNames(
  hints: readonly { name: string }[],
  path: FieldPath,
  test: typeof checkLabelValue,
  errors: Errors,
): boolean {
  if (hints.length > hintsMax) {
    errors.tooMany(path, hints.length, hintsMax);
    return false;
  }
  const names = new Set<string>();
  for (const [index, { name }] of hints.entries()) {
    const at = path.index(index).child('name');
    if (names.has(name)) errors.duplicate(at, name);
    names.add(name);
    check(name, at, test, errors);
  }
  return true;
}
