/**
 * Loads the routes of this server's connections from `--egress-selector-config-file`. The module is loaded only if the
 * flag is set.
 */
import { readFileSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import { aggregateFieldErrors, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { trusting } from '@coxswain/client/https/trusted-authorities.ts';
import { openError } from '../open-error.ts';
import type { Dial, EgressSelector } from './dial.ts';
import {
  readEgressConfiguration,
  type StatedConnection,
  type StatedSelection,
  type StatedTlsConfig,
} from './egress-configuration.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { countedDial } from './counted-dial.ts';
import type { ConnectProxy } from './http-connect.ts';
import { egressErrors } from './validate-egress.ts';

/** @throws Error with upstream's message */
export function loadEgressSelector(file: string, clock: Clock): EgressSelector {
  const selections = readSelections(file);
  const errors = egressErrors(selections);
  if (errors.length > 0)
    throw new Error(`failed to validate egress selector configuration: ${aggregateFieldErrors(errors)}`);
  let metrics: Metrics | undefined;
  const dials = new Map<string, Dial>();
  for (const { name, connection } of selections) {
    const proxy = proxyOf(name.toLowerCase(), connection);
    if (proxy !== undefined)
      dials.set(
        name.toLowerCase(),
        countedDial(proxy, clock, () => metrics),
      );
  }
  return {
    dialOf: (name) => dials.get(name),
    isSaid: (wanted) => selections.some(({ name }) => name.toLowerCase() === wanted),
    countIn: (found) => void (metrics = found),
  };
}

function readSelections(file: string): readonly StatedSelection[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (failure) {
    const reason = openError('open', file, failure).message;
    throw new Error(
      `failed to read egress selector config: unable to read egress selector configuration from ${JSON.stringify(file)} [${reason}]`,
      { cause: failure },
    );
  }
  try {
    return readEgressConfiguration(text);
  } catch (failure) {
    throw new Error(`failed to read egress selector config: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
}

/** Undefined for a direct connection. @throws Error for files without certificates, and for GRPC */
function proxyOf(name: string, { proxyProtocol, transport }: StatedConnection): ConnectProxy | undefined {
  if (proxyProtocol === 'Direct') return undefined;
  if (proxyProtocol === 'GRPC')
    throw new Error(
      `egress selector: proxyProtocol GRPC (of egressSelection ${JSON.stringify(name)}) is not supported by this server; HTTPConnect is`,
    );
  const { tcp, uds } = transport!;
  if (uds !== undefined) return { address: uds.udsName, place: { path: uds.udsName } };
  const url = new URL(tcp!.url);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return {
    address: url.host,
    place: { host: url.hostname.replace(/^\[|\]$/g, ''), port },
    ...(tcp!.tlsConfig && { tls: tlsOf(name, tcp!.tlsConfig) }),
  };
}

function tlsOf(name: string, { caBundle, clientCert, clientKey, tlsServerName }: StatedTlsConfig) {
  const read = (file: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (failure) {
      throw new Error(
        `failed to setup egress selector: failed to create dialer for egressSelection ${JSON.stringify(name)}: ${openError('open', file, failure).message}`,
        { cause: failure },
      );
    }
  };
  const authorities: SecureContextOptions = trusting(caBundle === '' ? undefined : read(caBundle));
  return {
    ...authorities,
    cert: read(clientCert),
    key: read(clientKey),
    ...(tlsServerName !== '' && { servername: tlsServerName }),
  };
}
