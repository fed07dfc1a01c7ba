/** Converts errors of sockets and transports to kubectl's familiar messages. */
import { StatusError } from '@coxswain/apimachinery';
import { InvalidServer } from '@coxswain/client/https/connect.ts';
import { RequestTimeout } from '../api-client.ts';
import { ConnectionError } from '../errors.ts';
import { wrongNameText, type NameMismatch } from './wrong-name.ts';

export function explainConnection(failure: unknown, address: string): unknown {
  if (failure instanceof StatusError || failure instanceof ConnectionError) return failure;
  if (!(failure instanceof Error) || failure.name === 'AbortError') return failure;
  if (failure instanceof InvalidServer && failure.isUnreadable)
    return new ConnectionError(failure.message, '', false);
  const host = hostOf(address);
  if (failure instanceof RequestTimeout) return new ConnectionError(failure.message, host, false);
  const cause = codedCause(failure);
  const code = cause?.code;
  if (code === 'ECONNREFUSED') return new ConnectionError(failure.message, host, true);
  const text = socketTexts(failure, cause, host);
  return text === undefined ? failure : new ConnectionError(text, host, false);
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

interface Coded extends NameMismatch {
  readonly code: string;
}

/** Returns the failure or one of its causes: the first that has a code. */
function codedCause(failure: unknown): Coded | undefined {
  if (failure === undefined || failure === null) return undefined;
  const { code, cause, errors } = failure as {
    code?: unknown;
    cause?: unknown;
    errors?: readonly unknown[];
  };
  return typeof code === 'string' ? (failure as Coded) : (codedCause(errors?.[0]) ?? codedCause(cause));
}

function socketTexts(failure: Error, cause: Coded | undefined, host: string): string | undefined {
  const name = host.replace(/:\d+$/, '');
  switch (cause?.code) {
    case 'ENOTFOUND':
      return `dial tcp: lookup ${name}: no such host`;
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${name}: Temporary failure in name resolution`;
    case 'ETIMEDOUT':
      return `dial tcp ${host}: i/o timeout`;
    case 'ECONNRESET':
      return 'read: connection reset by peer';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    case 'CERT_HAS_EXPIRED':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${wrongNameText(cause, name)}`;
    default:
      if (/^(tls|net\/http): /.test(failure.message)) return failure.message;
      return /^exec(:| plugin)|^decoding stdout: |^failed parsing client key|getting credentials/.test(
        failure.message,
      )
        ? `getting credentials: ${failure.message.replace(/^getting credentials: /, '')}`
        : undefined;
  }
}
