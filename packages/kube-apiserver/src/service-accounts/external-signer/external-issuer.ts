/** Issues tokens whose claims come from this server, and whose header and signature come from an external signer. */
import { goQuote } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { grpcCodeName, grpcFailureText } from '@coxswain/grpc/status.ts';
import { encodedClaims, type TokenIssuer, type TokenIssuerOptions } from '../token-issuer.ts';
import type { ExternalKeys } from './external-keys.ts';
import type { SignerClient } from './signer-client.ts';

export interface ExternalIssuerOptions extends Omit<TokenIssuerOptions, 'signer'> {
  readonly client: SignerClient;
  readonly keys: ExternalKeys;
  /** Called with the gRPC code of each attempt. */
  readonly observe: (code: string) => void;
}

export function externalIssuer({ client, keys, observe, ...limits }: ExternalIssuerOptions): TokenIssuer {
  return {
    ...limits,
    async issue(claims) {
      const payload = encodedClaims(limits.issuer, claims);
      try {
        const { header, signature } = await client.sign(payload);
        await checkHeader(header, keys);
        if (signature === '') throw new Error('empty signature returned');
        observe('OK');
        return `${header}.${payload}.${signature}`;
      } catch (failure) {
        const code = grpcCodeName(failure);
        observe(code);
        throw code === 'unknown-non-grpc'
          ? failure
          : new Error(`while signing jwt: ${grpcFailureText(failure)}`, { cause: failure });
      }
    },
  };
}

const algorithms: ReadonlySet<unknown> = new Set(['RS256', 'ES256', 'ES384', 'ES512']);
const members: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);
const keyIdLengthMax = 1024;

/** @throws Error with upstream's message for a header that would make the token unverifiable */
async function checkHeader(encoded: string, keys: ExternalKeys): Promise<void> {
  const refuse = (reason: string): never => {
    throw new Error(`while validating header: ${reason}`);
  };
  const header = headerIn(encoded, refuse);
  const unknown = Object.keys(header).find((member) => !members.has(member));
  if (unknown !== undefined) refuse(`while parsing header JSON: json: unknown field ${goQuote(unknown)}`);
  const { typ, kid, alg = '' } = header;
  if (typ !== 'JWT') refuse('bad type');
  if (typeof kid !== 'string' || kid === '') return refuse('key id missing');
  if (kid.length > keyIdLengthMax) refuse('key id longer than 1 kb');
  if (!algorithms.has(alg)) refuse(`bad signing algorithm ${goQuote(String(alg))}`);
  if (await keys.isExcludedFromDiscovery(kid)) {
    refuse(`key used for signing JWT (kid: ${kid}) is excluded from OIDC discovery docs`);
  }
}

function headerIn(encoded: string, refuse: (reason: string) => never): Readonly<Record<string, unknown>> {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.fromBase64(encoded, { alphabet: 'base64url' });
  } catch (failure) {
    return refuse(`while unwrapping header: ${messageOf(failure)}`);
  }
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof header === 'object' && header !== null) return header as Record<string, unknown>;
    return refuse('while parsing header JSON: not an object');
  } catch (failure) {
    return refuse(`while parsing header JSON: ${messageOf(failure)}`);
  }
}
