import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkPortNumber,
  checkQualifiedName,
  isIpv4Mapped,
  parseIp,
  semanticDeepEqual,
  validateLegacyIp,
  type FieldError,
  type FieldPath,
  type IpAddress,
} from '@coxswain/apimachinery';
import { check, pathOf, Errors } from '../../../meta/checks.ts';
import type { MetaObject } from '../../../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../../../meta/object-meta-validation.ts';
import { protocols } from '../pod/container-validation.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../endpoint-subset.ts';

type EndpointsObject = MetaObject & { subsets?: EndpointSubset[] };

export function validateEndpoints(
  endpoints: EndpointsObject,
  old: EndpointsObject | undefined,
): FieldError[] {
  const errors = new Errors();
  const rules = { namespaced: true, name: subdomainName, whole: true };
  validateMeta(endpoints.metadata, old?.metadata, rules, errors);
  const ofSubsets = new Errors();
  for (const [index, subset] of (endpoints.subsets ?? []).entries()) {
    validateSubset(subset, pathOf('subsets').index(index), ofSubsets);
  }
  // Stored values are not refused by later rules.
  const isUnchanged =
    old !== undefined && ofSubsets.length > 0 && semanticDeepEqual(old.subsets, endpoints.subsets);
  return isUnchanged ? errors : [...errors, ...ofSubsets];
}

function validateSubset(subset: EndpointSubset, path: FieldPath, errors: Errors): void {
  const addresses = subset.addresses ?? [];
  const notReady = subset.notReadyAddresses ?? [];
  if (addresses.length === 0 && notReady.length === 0) {
    errors.required(path, 'must specify `addresses` or `notReadyAddresses`');
  }
  for (const [index, address] of addresses.entries()) {
    validateAddress(address, path.child('addresses').index(index), errors);
  }
  for (const [index, address] of notReady.entries()) {
    validateAddress(address, path.child('notReadyAddresses').index(index), errors);
  }
  const ports = subset.ports ?? [];
  for (const [index, port] of ports.entries()) {
    validatePort(port, ports.length > 1, path.child('ports').index(index), errors);
  }
}

function validateAddress({ ip, hostname, nodeName }: EndpointAddress, path: FieldPath, errors: Errors): void {
  errors.push(...validateLegacyIp(path.child('ip'), ip ?? ''));
  if (hostname) check(hostname, path.child('hostname'), checkDnsLabel, errors);
  if (nodeName != null) check(nodeName, path.child('nodeName'), checkDnsSubdomain, errors);
  validateReachable(ip ?? '', path.child('ip'), errors);
}

function validatePort(port: EndpointPort, needsName: boolean, path: FieldPath, errors: Errors): void {
  if (port.name) check(port.name, path.child('name'), checkDnsLabel, errors);
  else if (needsName) errors.required(path.child('name'));
  for (const message of checkPortNumber(port.port ?? 0)) {
    errors.invalid(path.child('port'), port.port ?? 0, message);
  }
  if (!port.protocol) errors.required(path.child('protocol'));
  else if (!protocols.includes(port.protocol)) {
    errors.notSupported(path.child('protocol'), port.protocol, protocols);
  }
  if (port.appProtocol != null)
    check(port.appProtocol, path.child('appProtocol'), checkQualifiedName, errors);
}

/** Addresses that may receive traffic from elsewhere: those of endpoints, and a Service's external IPs. */
export function validateReachable(text: string, path: FieldPath, errors: Errors): void {
  const address = parseIp(text);
  if (address === undefined) {
    errors.invalid(path, text, 'must be a valid IP address');
    return;
  }
  const { version, value } = withoutMapping(address);
  const wrong = (detail: string): void => {
    errors.invalid(path, text, detail);
  };
  if (value === 0n) wrong(`may not be unspecified (${text})`);
  if (version === 4 ? value >> 24n === 127n : value === 1n) {
    wrong('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  }
  if (version === 4 ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan) {
    wrong('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (version === 4 ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n) {
    wrong('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
}

/** IPv4-mapped IPv6 counts as IPv4. */
const withoutMapping = (address: IpAddress): IpAddress =>
  isIpv4Mapped(address) ? { version: 4, value: address.value & 0xffff_ffffn } : address;
