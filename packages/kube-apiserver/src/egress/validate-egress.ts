/** Validates an egress configuration, with upstream's messages and paths. */
import { existsSync } from 'node:fs';
import { FieldPath } from '@coxswain/apimachinery';
import {
  duplicateError,
  invalidError,
  notSupportedError,
  requiredError,
  type FieldError,
} from '@coxswain/apimachinery/field-error.ts';
import type {
  StatedConnection,
  StatedSelection,
  StatedTlsConfig,
  StatedTransport,
} from './egress-configuration.ts';

/** Upstream's path, whichever selection it is about. */
const connectionPath = FieldPath.of('service').child('connection');

const names: readonly string[] = ['cluster', 'controlplane', 'etcd'];

export function egressErrors(selections: readonly StatedSelection[]): readonly FieldError[] {
  return [...selections.flatMap(({ connection }) => connectionErrors(connection)), ...nameErrors(selections)];
}

function nameErrors(selections: readonly StatedSelection[]): FieldError[] {
  const seen = new Set<string>();
  return selections.flatMap((selection, index) => {
    const name = selection.name.toLowerCase();
    if (seen.has(name)) return [duplicateError(connectionPath.index(index), name)];
    seen.add(name);
    return names.includes(name) ? [] : [notSupportedError(connectionPath, name, names)];
  });
}

function connectionErrors({ proxyProtocol, transport }: StatedConnection): FieldError[] {
  switch (proxyProtocol) {
    case 'Direct':
      return transport === undefined
        ? []
        : [invalidError(at('transport'), 'direct', 'config must be absent for direct connect')];
    case 'HTTPConnect':
      return transport === undefined
        ? [requiredError(at('transport'), 'transport must be set for HTTPConnect')]
        : connectErrors(transport);
    case 'GRPC':
      return transport === undefined
        ? [requiredError(at('transport'), 'transport must be set for GRPC')]
        : grpcErrors(transport);
    default:
      return [notSupportedError(at('protocol'), proxyProtocol, ['Direct', 'HTTPConnect', 'GRPC'])];
  }
}

const at = (...members: readonly string[]): FieldPath =>
  members.reduce((path, member) => path.child(member), connectionPath);

function connectErrors({ tcp, uds }: StatedTransport): FieldError[] {
  if (tcp !== undefined && uds !== undefined)
    return [invalidError(at('tcp'), inGoWords(tcp), 'TCP and UDS cannot both be set')];
  if (tcp !== undefined) return tcpErrors(tcp);
  return uds === undefined ? [requiredError(at('tcp'), 'One of TCP or UDS must be set')] : socketErrors(uds);
}

/** As upstream prints it: with the names of Go's struct fields. */
const inGoWords = ({ url, tlsConfig }: NonNullable<StatedTransport['tcp']>): object => ({
  URL: url,
  TLSConfig: tlsConfig
    ? {
        CABundle: tlsConfig.caBundle,
        ClientKey: tlsConfig.clientKey,
        ClientCert: tlsConfig.clientCert,
        TLSServerName: tlsConfig.tlsServerName,
      }
    : null,
});

const grpcErrors = ({ uds }: StatedTransport): FieldError[] =>
  uds === undefined ? [requiredError(at('uds'), 'UDS must be set with GRPC')] : socketErrors(uds);

const socketErrors = ({ udsName }: NonNullable<StatedTransport['uds']>): FieldError[] =>
  udsName === '' ? [invalidError(at('udsName'), 'nil', 'must be present for UDS connections')] : [];

function tcpErrors({ url, tlsConfig }: NonNullable<StatedTransport['tcp']>): FieldError[] {
  if (url.startsWith('https://')) return tlsErrors(tlsConfig);
  if (!url.startsWith('http://'))
    return [invalidError(at('url'), url, 'supported connection protocols are http:// and https://')];
  return tlsConfig === undefined
    ? []
    : [invalidError(at('tlsConfig'), 'nil', 'config must not be present when using HTTP')];
}

function tlsErrors(config: StatedTlsConfig | undefined): FieldError[] {
  if (config === undefined)
    return [requiredError(at('tlsConfig'), 'TLSConfig must be present when using HTTPS')];
  const { caBundle, clientCert, clientKey } = config;
  return [
    ...(caBundle === '' ? [] : missingFile('caBundle', caBundle, 'TLS config ca bundle does not exist')),
    ...(clientCert === ''
      ? [invalidError(at('tlsConfig', 'clientCert'), 'nil', 'Using TLS requires clientCert')]
      : missingFile('clientCert', clientCert, 'TLS client cert does not exist')),
    ...(clientKey === ''
      ? [invalidError(at('tlsConfig', 'clientKey'), 'nil', 'Using TLS requires requires clientKey')]
      : missingFile('clientKey', clientKey, 'TLS client key does not exist')),
  ];
}

const missingFile = (member: string, file: string, detail: string): FieldError[] =>
  existsSync(file) ? [] : [invalidError(at('tlsConfig', member), file, detail)];
